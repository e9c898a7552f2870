"""What a browser is told to refuse, and whose forms are taken."""

from urllib.parse import urlsplit

from flask import Response, request
from werkzeug.exceptions import Forbidden

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def add_headers(response: Response) -> Response:
    """Nothing from elsewhere, nothing inline, no guessing of types, no framing."""
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("X-Frame-Options", "DENY")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    return response


def require_own_form() -> None:
    """Let a form in only when it was sent from one of these pages; raises ``Forbidden``.

    A browser names the page that a form came from in ``Origin`` (else ``Referer``), and no page can change that: on a
    network without accounts this is what keeps foreign sites from overruling calls.
    """
    sender = request.headers.get("Origin") or request.headers.get("Referer") or ""
    if urlsplit(sender).netloc != request.host:
        raise Forbidden("This was not sent from a page of the referee, so nothing was changed.")
