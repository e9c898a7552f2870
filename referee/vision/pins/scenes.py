"""What pins are fitted to: a picture compared with the bare lane, then by what paint its likeliest pins have."""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from hardware.frame import Frame
from referee.vision.pins.candidates import Candidate, CandidateFinder
from referee.vision.pins.explain import Light, Looks, Mask, Scene, are_in_one_another, union_of
from referee.vision.pins.fields import Within
from referee.vision.pins.outlines import outlines_of, sampled_at
from referee.vision.pins.paint import filled, looked_at, paint_of
from referee.vision.pins.picture import Array, Image, Window, lit
from referee.vision.pins.pin import PinSize
from referee.vision.pins.shadows import light_of, shadow_mask
from referee.vision.pins.shift import shift_of
from referee.vision.pins.surfaces import MARKER, RIM, SIDE, TABLE, Bare, Parts, bare, parts_of

DISTINCT: Final = 3.0
"""Deviations from the bare lane at which a pixel may as well be a pin."""

SURE: Final = 0.5
ENOUGH: Final = 3
"""Score of a candidate, alone, from which its colours are taken for those of pins; and of those that stand, how many
do without those that lie."""

SURE_WITH_SHADOW: Final = 0.55
"""The same where pins have no colour of their own, with as much as shows of their shadows."""

LIT: Final = 0.92
OTHER_LIT: Final = 0.8
BRIGHT: Final = 1.03
SLACK: Final = 0.08
"""Light, as a share of full light, from which the lid, and what may be beyond it, is surely lit; much less, surely not:
what is as much brighter is glossy."""

DIMMED: Final = 0.1
LEAST_LIT: Final = 0.1
SAME_LIGHT: Final = 0.02
"""Shade, as a share, of what may be in full light; share of a picture from which that tells the light; and how much the
light may have changed since the lane was looked at, with nothing else looking darker."""

UNKNOWN: Final = 0.5
SHADED: Final = -0.5
"""Evidence of what is dark or bright, and may be a pin as well as a lane in shade; and of what a pin's shadow is on."""

MOTLEY: Final = (0.5, 0.8)
"""Shares of the table that look as one surface would: from none that tells anything to enough to rely on."""

PLAIN: Final = 0.7
"""Share of the lid's rim that looks as one surface does, from which it is one: pins lying there leave three quarters.
One with stripes or a print looks like anything, as markers do."""


def bare_scene(frame: Frame, window: Window, size: PinSize, before: Looks | None = None) -> Scene:
    """A frame compared with the bare lane, whatever the shade; ``before``: how that looked when it was read last, which
    is how it looks now, if the light is the same."""
    planes = window.planes(frame)
    if before is not None:
        scene = _as_before(planes * np.float32(before.gain), window, size, before)
        if scene is not None:
            return scene
    gain = lit(planes)
    planes *= np.float32(gain)
    shift_mm = shift_of(planes, window)
    parts = parts_of(window, shift_mm)
    seen = bare(planes, parts)
    is_rim = parts == RIM
    if is_rim.any() and float(np.mean(seen.distance[is_rim] < DISTINCT)) < PLAIN:
        parts[is_rim] = MARKER
        seen = bare(planes, parts, {part: field for part, field in seen.fields.items() if part != RIM})
    is_table = parts == TABLE
    alike = float(np.mean(seen.distance[is_table] < DISTINCT)) if is_table.any() else 0.0
    cloth = float(np.clip((alike - MOTLEY[0]) / (MOTLEY[1] - MOTLEY[0]), 0, 1))
    looks = Looks(gain=gain, fields=seen.fields, cloth=cloth)
    return _scene(planes, seen, parts, window, size, shift_mm, looks)


def _as_before(planes: Image, window: Window, size: PinSize, before: Looks) -> Scene | None:
    """A scene told by how the lane looked ``before``; None where it looks another now."""
    shift_mm = shift_of(planes, window)
    parts = _known_parts(window, shift_mm, before)
    seen = bare(planes, parts, before.fields)
    looks = Looks(gain=before.gain, fields=before.fields, cloth=before.cloth)
    return _scene(planes, seen, parts, window, size, shift_mm, looks) if _is_same_light(seen, parts) else None


def _known_parts(window: Window, shift_mm: tuple[float, float], before: Looks) -> Parts:
    """The parts of a lane, its rim taken for what it was taken for before."""
    parts = parts_of(window, shift_mm)
    if RIM not in before.fields:
        parts[parts == RIM] = MARKER
    return parts


def _is_same_light(seen: Bare, parts: Parts) -> bool:
    """Whether what may be in full light is as bright as it was when the lane's looks were learned."""
    shade = seen.shade[(parts < SIDE) & (seen.distance < DISTINCT) & (np.abs(seen.shade - 1) < DIMMED)]
    return len(shade) >= LEAST_LIT * parts.size and abs(float(np.median(shade)) - 1) <= SAME_LIGHT


def part_of_scene(frame: Frame, window: Window, whole: Scene, moved_mm: tuple[float, float]) -> Scene | None:
    """The part of another frame that a part of a ``window`` shows, compared with the bare lane as it looked in a
    ``whole`` scene; None where that can't be done, as the light is another.
    ``moved_mm``: how far the lane has moved since."""
    looks = whole.looks
    shift_mm = (whole.shift_mm[0] + moved_mm[0], whole.shift_mm[1] + moved_mm[1])
    planes = window.planes(frame)
    planes *= np.float32(looks.gain)
    parts = _known_parts(window, shift_mm, looks)
    seen = bare(planes, parts, looks.fields, Within(left=window.left, top=window.top, shape=whole.window.shape))
    if not _is_same_light(seen, parts):
        return None
    return _scene(planes, seen, parts, window, whole.size, shift_mm, looks)


def _scene(
    planes: Image, seen: Bare, parts: Parts, window: Window, size: PinSize, shift_mm: tuple[float, float], looks: Looks
) -> Scene:
    evidence = np.clip(seen.distance / DISTINCT - 1, -1, 1)
    evidence[parts == MARKER] = 0
    # A motley cloth hides nothing, but nothing can be told from it.
    evidence[parts == TABLE] *= np.float32(looks.cloth)
    # Where two surfaces meet colours mix, and pins hide them no less than elsewhere.
    evidence = filled(evidence.astype(np.float32), (~seen.seams).astype(np.float32))
    return Scene(
        window=window,
        size=size,
        evidence=evidence,
        planes=planes,
        shade=1 + filled(seen.shade - 1, (~seen.seams).astype(np.float32)),
        parts=parts,
        shift_mm=shift_mm,
        looks=looks,
    )


def painted(scene: Scene, finder: CandidateFinder) -> Scene:
    """The scene with evidence made better by the paint of its likeliest pins, unless that is known."""
    if scene.looks.pin is not None and scene.looks.lane is not None:
        return _looked_at(scene, scene.looks.pin, scene.looks.lane)
    lane = (scene.evidence < 0) & scene.is_lid
    if len(scene.known):
        return _with_paint(scene, scene.known, lane)
    sure = [c.pose for c in finder.find_upright(scene) if c.score > SURE]
    if len(sure) < ENOUGH:
        sure += [c.pose for c in finder.find_lying(scene) if c.score > SURE]
    return _with_paint(scene, np.array(sure), lane) if sure else scene


def shaded(scene: Scene, finder: CandidateFinder) -> Scene | None:
    """The scene where pins have the lane's own colour, and show by their shape and their shadows; None where none do.

    ``scene``: as compared with the bare lane.
    """
    if len(scene.known):
        return shaded_by(scene, scene.known)
    odd = unlit(scene)
    hopeful = _hopeful(scene, odd)
    found = _with_shadows(finder.find_upright(hopeful), odd, hopeful)
    return None if found is None else _among_shadows(hopeful, *found)


def shaded_by(scene: Scene, poses: Array) -> Scene:
    """The same when it is known where pins are, (n, 5)."""
    odd = unlit(scene)
    light, _ = light_of(poses, np.ones(len(poses)), odd, scene)
    return _among_shadows(_hopeful(scene, odd), poses, light)


def _hopeful(scene: Scene, odd: Image) -> Scene:
    """The scene where whatever isn't the lid in full light may be a pin."""
    evidence = np.where(scene.is_lid, np.maximum(scene.evidence, UNKNOWN * odd - (odd == 0)), scene.evidence)
    return replace(scene, evidence=evidence.astype(np.float32))


def _among_shadows(scene: Scene, poses: Array, light: Light) -> Scene:
    """The scene with evidence by what pins at ``poses``, (n, 5), look like, and what their shadows do."""
    shadows = shadow_mask(poses, light, scene) & ~union_of(poses, scene) & scene.is_lid
    scene = replace(scene, evidence=np.where(shadows, np.float32(SHADED), scene.evidence))
    return _with_paint(scene, poses, (scene.evidence < 0) & scene.is_lid)


def unlit(scene: Scene) -> Image:
    """How surely each pixel of the lid isn't seen in full light: (h, w), 0 to 1, off the lid 0."""
    return np.where(scene.is_lid, np.maximum(_odd(scene, LIT), scene.evidence), 0).clip(0).astype(np.float32)


def _odd(scene: Scene, darkest: float) -> Image:
    """How surely a surface is darker than this share of full light, or brighter: (h, w)."""
    dark, bright = (darkest - scene.shade) / SLACK, (scene.shade - BRIGHT / darkest) / SLACK
    return np.asarray(np.clip(np.maximum(dark, bright), 0, 1), dtype=np.float32)


def _with_shadows(candidates: list[Candidate], odd: Image, scene: Scene) -> tuple[Array, Light] | None:
    """The likeliest upright pins by shape and shadow together, (n, 5), and the light that throws those."""
    if not candidates:
        return None
    poses = np.array([candidate.pose for candidate in candidates])
    scores = np.array([candidate.score for candidate in candidates])
    light, shown = light_of(poses, scores, odd, scene)
    clash = are_in_one_another(poses, scene.size)
    total = scores + shown
    picked: list[int] = []
    for k in np.argsort(-total):
        if total[k] > SURE_WITH_SHADOW and not clash[k, picked].any():
            picked.append(int(k))
    return (poses[picked], light) if picked else None


def _with_paint(scene: Scene, poses: Array, lane: Mask) -> Scene:
    """The scene with evidence by the paint of pins at ``poses``, (n, 5), and of the bare ``lane``, (h, w)."""
    x, y = outlines_of(poses, scene.size, scene.window).inside
    seen = sampled_at(scene.seen, x, y)
    pin = paint_of(seen[seen[..., 0] > 0][:, 1:])
    bare = paint_of(scene.planes.reshape(-1, 3).take(np.flatnonzero(lane), axis=0))
    return _looked_at(scene, pin, bare)


def _looked_at(scene: Scene, pin: Image, lane: Image) -> Scene:
    """The scene with evidence by paints of pins and lane."""
    beyond = _reach(scene) * np.maximum(_odd(scene, OTHER_LIT), scene.evidence).clip(0)
    evidence = looked_at(scene.evidence, scene.planes, pin, lane, scene.is_lid, beyond)
    return replace(scene, evidence=evidence, looks=replace(scene.looks, pin=pin, lane=lane))


def _reach(scene: Scene) -> Mask:
    """What pins can be seen before that stand on the lid: (h, w)."""
    layout = scene.window.table.layout
    lid = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    corners = scene.window.to_px(np.vstack([lid, lid + np.array([0.0, 0.0, scene.size.height_mm])]))
    mask = np.zeros(scene.window.shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.round(corners).astype(np.int32)), 1)
    return mask > 0
