"""Replay clips, in ranges as players ask for them, and the times of their pictures."""

from flask import Blueprint, Response, jsonify, send_file

from web.clip_times import read_frame_times
from web.pages import snapshot_with
from web.site import current_site

clip_files = Blueprint("clips", __name__)

# A clip is cut once and never changes.
KEEP_S = 24 * 3600


@clip_files.get("/match/<match_id>/call/<int:event>/clip.mp4")
def clip(match_id: str, event: int) -> Response:
    snapshot_with(match_id, event)
    path = current_site().desk(match_id).clip(event)
    response = send_file(path, mimetype="video/mp4", conditional=True, etag=True)
    response.headers["Cache-Control"] = f"private, max-age={KEEP_S}"
    return response


@clip_files.get("/match/<match_id>/call/<int:event>/clip.json")
def frames(match_id: str, event: int) -> Response:
    """When each picture of the clip is shown, in seconds from its start."""
    snapshot_with(match_id, event)
    return jsonify({"frames_s": read_frame_times(current_site().desk(match_id).clip(event))})
