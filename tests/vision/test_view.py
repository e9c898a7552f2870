"""A knocked camera: noticed, and the table found again."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.table import Table
from referee.events import Event, SeenBoard, SeenCameraMoved, Shot
from referee.vision.colours import half_luma
from referee.vision.view import MOVED_PX, View
from referee.vision.watcher import READ_S, BallWatcher
from tests.pictures import frame_of_bgr
from tests.vision.scene import picture, seat_mm, table


def knocked(scene: Table, *, turn_deg: float = 0.4, shift_mm: float = 4.0) -> Table:
    """The same table from a camera that was turned and pushed a little."""
    camera = scene.camera
    turn, _ = cv2.Rodrigues(np.radians([turn_deg, -turn_deg, turn_deg / 2]))
    moved = CameraModel(
        matrix=camera.matrix,
        dist=camera.dist,
        rotation=turn @ camera.rotation,
        translation_mm=turn @ camera.translation_mm + shift_mm,
        width_px=camera.width_px,
        height_px=camera.height_px,
    )
    return replace(scene, camera=moved)


def textured(seen_from: Table, *balls: tuple[str, tuple[float, float, float]]) -> NDArray[np.uint8]:
    """The scene with marks on the table, as wood or cloth has them."""
    image = picture(seen_from, balls)
    places = np.random.default_rng(5).uniform(-280, 280, (60, 2))
    for x, y in places[np.abs(places).max(axis=1) > 165]:
        spot = seen_from.camera.to_px(
            np.array([[x + dx, y + dy, 0.0] for dx, dy in ((-7, -7), (7, -7), (7, 7), (-7, 7))])
        )
        cv2.fillConvexPoly(image, np.round(spot * 16).astype(np.int32), (70, 90, 110), cv2.LINE_AA, 4)
    return image


def test_a_still_camera_is_not_moved_by_a_ball() -> None:
    scene = table()
    view = View(scene, half_luma(frame_of_bgr(textured(scene))))
    shift = view.shift(half_luma(frame_of_bgr(textured(scene, ("red", seat_mm("B2"))))))
    assert shift is not None
    assert shift.px < MOVED_PX / 3


@pytest.mark.parametrize("few_places_tell", [True, False])
def test_the_table_is_found_again_from_where_the_camera_is_now(
    few_places_tell: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not few_places_tell:  # as happens where all are on one plane, seen from above
        monkeypatch.setattr(cv2, "solvePnPRansac", lambda *_, **__: (False, None, None, None))
    scene = table()
    other = knocked(scene)
    view = View(scene, half_luma(frame_of_bgr(textured(scene))))
    luma = half_luma(frame_of_bgr(textured(other)))
    shift, found = view.shift(luma), view.found_again(luma)
    assert shift is not None
    assert shift.px > MOVED_PX
    assert found is not None
    holes = np.array([[hole.x_mm, hole.y_mm, 30.0] for hole in scene.layout.holes])
    off = found.camera.to_px(holes) - other.camera.to_px(holes)
    assert np.hypot(off[:, 0], off[:, 1]).max() < 1.0


def test_a_plain_picture_tells_nothing() -> None:
    blank = np.full((180, 320), 120, np.uint8)
    view = View(table(), blank)
    assert view.shift(blank) is None
    assert view.found_again(blank) is None


def test_calling_pauses_at_a_knock_and_goes_on_with_the_same_board() -> None:
    scene = table()
    lying = ("red", seat_mm("C1"))
    before, after = frame_of_bgr(textured(scene, lying)), frame_of_bgr(textured(knocked(scene), lying))
    watcher, events = BallWatcher(scene), list[Event]()
    for index in range(60):
        shown = before if index < 20 else after
        events += watcher.feed(replace(shown, index=index, t_s=index / 20))
    events += watcher.finish()
    (moved,) = [event for event in events if isinstance(event, SeenCameraMoved)]
    assert moved.recovered
    assert moved.px > MOVED_PX
    assert moved.stamp.t_s == pytest.approx(1.0, abs=0.5)
    assert not [event for event in events if isinstance(event, Shot)]
    boards = [dict(event.holes) for event in events if isinstance(event, SeenBoard)]
    assert boards == [{"C1": "red"}]
    assert READ_S < 0.5


@pytest.mark.parametrize("shift_px", [1.5, 4.0, 20.0, 60.0])
def test_every_shift_is_suspect_and_a_still_picture_is_not(shift_px: float) -> None:
    image = textured(table())
    view = View(table(), half_luma(frame_of_bgr(image)))
    noise = np.random.default_rng(1).normal(0.0, 2.0, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    assert not view.is_suspect(half_luma(frame_of_bgr(noisy)))
    assert not view.is_suspect(half_luma(frame_of_bgr(np.clip(image * 0.8, 0, 255).astype(np.uint8))))
    for degrees in range(0, 360, 45):
        x, y = shift_px * np.cos(np.radians(degrees)), shift_px * np.sin(np.radians(degrees))
        moved = cv2.warpAffine(
            noisy, np.array([[1, 0, x], [0, 1, y]]), image.shape[1::-1], borderMode=cv2.BORDER_REFLECT
        )
        assert view.is_suspect(half_luma(frame_of_bgr(np.asarray(moved, np.uint8))))


def test_a_plain_picture_is_never_suspect() -> None:
    blank = np.full((180, 320), 120, np.uint8)
    assert not View(table(), blank).is_suspect(blank + np.uint8(40))
