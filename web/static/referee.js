"use strict";

// Keeps the page as the match stands. Whatever the server says changed is put in its place; the server draws, this shows.
function followMatch(body) {
  const { stream: streamUrl, state: stateUrl } = body.dataset;
  const refetchOn = (body.dataset.refetch || "").split(" ").filter(Boolean);
  const badge = document.querySelector("[data-connection]");
  const words = {
    connecting: "connecting …",
    live: "live",
    reconnecting: "reconnecting …",
    lost: "connection lost: what you see may be old; trying again",
    gone: "this match is no longer shown here",
  };
  const SILENCE_MS = 25000; // the server is heard from every ten seconds
  const LOST_MS = 8000;
  let version = body.dataset.version;
  let boot = body.dataset.boot;
  let source = null;
  let heardAt = Date.now();
  let downSince = null;
  let isGone = false;

  function say(state) {
    if (!badge || badge.dataset.connection === state) return;
    badge.dataset.connection = state;
    badge.querySelector("[data-connection-words]").textContent = words[state];
  }

  function heard() {
    heardAt = Date.now();
    downSince = null;
    isGone = false;
    say("live");
  }

  function broken() {
    downSince = downSince || Date.now();
    say(isGone ? "gone" : Date.now() - downSince > LOST_MS ? "lost" : "reconnecting");
  }

  function put(parts) {
    for (const [name, html] of Object.entries(parts)) {
      for (const place of document.querySelectorAll(`[data-part="${name}"]`)) {
        const focused = place.contains(document.activeElement) && document.activeElement.getAttribute("href");
        const scrolled = place.scrollTop;
        place.innerHTML = html;
        place.scrollTop = scrolled;
        if (focused) place.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
      }
    }
  }

  // The server was started anew, for another match: a screen with the score goes on with that one. A form is left alone.
  function leave() {
    isGone = true;
    if (body.classList.contains("live")) location.replace("/");
  }

  async function refetch() {
    try {
      const answer = await fetch(stateUrl, { cache: "no-store" });
      if (answer.status === 404) leave();
      if (!answer.ok) throw new Error(answer.statusText);
      const state = await answer.json();
      version = state.version;
      boot = state.boot;
      put(state.parts);
      return true;
    } catch {
      broken();
      return false;
    }
  }

  function open() {
    if (source) source.close();
    heardAt = Date.now();
    source = new EventSource(`${streamUrl}?since=${version}&boot=${boot}`);
    source.addEventListener("open", heard);
    source.addEventListener("beat", heard);
    source.addEventListener("parts", (event) => {
      heard();
      const news = JSON.parse(event.data);
      version = news.version;
      if (refetchOn.length === 0) put(news.parts);
      else if (refetchOn.some((name) => name in news.parts)) refetch();
    });
    source.addEventListener("error", broken);
  }

  // A browser gives a stream up after some kinds of failure, and a sleeping phone forgets it without a word.
  setInterval(async () => {
    const silent = Date.now() - heardAt > SILENCE_MS;
    if (source.readyState !== EventSource.CLOSED && !silent) {
      if (downSince) broken();
      return;
    }
    broken();
    heardAt = Date.now();
    if (await refetch()) open();
  }, 2000);

  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState === "visible" && (await refetch())) open();
  });
  window.addEventListener("pageshow", async (event) => {
    if (event.persisted && (await refetch())) open();
  });
  window.addEventListener("pagehide", () => source.close());
  say("connecting");
  open();
}

// Slow motion and single pictures. `frames` holds when each picture is shown; without it a thirtieth of a second is a step.
function steerClip(clip) {
  const video = clip.querySelector("video");
  const time = clip.querySelector("[data-clip-time]");
  const trouble = clip.querySelector(".clip-error");
  const speeds = [...clip.querySelectorAll("[data-speed]")];
  let frames = [];

  function frameAt(seconds) {
    let index = frames.findIndex((shown) => shown > seconds + 1e-4);
    if (index < 0) index = frames.length;
    return Math.max(0, index - 1);
  }

  function show() {
    const frame = frames.length ? `, picture ${frameAt(video.currentTime) + 1} of ${frames.length}` : "";
    time.textContent = `${video.currentTime.toFixed(3)} s${frame}`;
  }

  function step(by) {
    video.pause();
    if (frames.length === 0) {
      video.currentTime = Math.max(0, video.currentTime + by / 30);
      return;
    }
    const index = Math.min(frames.length - 1, Math.max(0, frameAt(video.currentTime) + by));
    // A little into the picture: its very first moment may still show the one before.
    const next = index + 1 < frames.length ? frames[index + 1] : video.duration;
    video.currentTime = frames[index] + Math.min(0.002, Math.max(0, (next - frames[index]) / 2));
  }

  function setSpeed(button) {
    video.defaultPlaybackRate = video.playbackRate = Number(button.dataset.speed);
    for (const other of speeds) other.setAttribute("aria-pressed", String(other === button));
  }

  async function explain() {
    let reason = "This browser can't play the clip.";
    try {
      const answer = await fetch(video.currentSrc || video.src, { headers: { Accept: "application/json", Range: "bytes=0-0" } });
      if (!answer.ok) reason = (await answer.json()).error;
    } catch {
      reason = "The clip can't be reached: is the referee still running?";
    }
    trouble.textContent = reason;
    trouble.hidden = false;
    video.hidden = true;
    clip.querySelector(".clip-tools").hidden = true;
  }

  async function ready() {
    clip.querySelector(".clip-tools").hidden = false;
    try {
      const answer = await fetch(clip.dataset.frames);
      if (answer.ok) frames = (await answer.json()).frames_s;
    } catch {
      frames = [];
    }
    show();
  }

  function jump(seconds) {
    video.pause();
    video.currentTime = frames.length ? frames[frameAt(seconds)] + 0.002 : seconds;
  }

  for (const button of clip.querySelectorAll("[data-jump]")) {
    button.addEventListener("click", () => jump(Number(button.dataset.jump)));
  }
  for (const button of speeds) button.addEventListener("click", () => setSpeed(button));
  for (const button of clip.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(Number(button.dataset.step)));
  }
  clip.addEventListener("keydown", (event) => {
    if (event.key === "," || event.key === ".") step(event.key === "," ? -1 : 1);
  });
  for (const name of ["timeupdate", "seeked"]) video.addEventListener(name, show);
  video.addEventListener("loadedmetadata", ready, { once: true });
  video.addEventListener("error", explain, { once: true });
  if (video.error) explain();
  else if (video.readyState >= HTMLMediaElement.HAVE_METADATA) ready();
}

if (document.body.dataset.stream) followMatch(document.body);
for (const clip of document.querySelectorAll("[data-clip]")) steerClip(clip);
