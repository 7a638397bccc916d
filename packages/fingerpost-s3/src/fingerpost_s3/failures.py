"""What boto3 raises, told in a sentence: what could not be done, where, why, and what to do."""

from __future__ import annotations

from typing import Any, NamedTuple

from botocore import exceptions as raised

from fingerpost import StoreError
from fingerpost_s3.place import Place

ABSENT = frozenset({"404", "NoSuchKey", "NotFound"})
MISMATCH = frozenset({"409", "412", "ConditionalRequestConflict", "PreconditionFailed"})
UNSUPPORTED = frozenset({"501", "MethodNotAllowed", "NotImplemented"})


class UnavailableError(StoreError):
    """The storage does not answer, or too slowly: another object would fare no better."""


class _Reason(NamedTuple):
    what: str
    cure: str
    is_outage: bool = False


_CREDENTIALS = (
    "give boto3 some in the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), in a profile "
    "(AWS_PROFILE), or by the role of the machine"
)
_LATER = "try again later"
_DENIED = _Reason(
    "access is denied",
    "allow s3:ListBucket on the bucket and s3:GetObject on its objects, for writing also s3:PutObject and "
    "s3:DeleteObject",
)
_REGION = _Reason(
    "the bucket is in another region", "give the region of the bucket, such as region='eu-west-1'"
)
_WRONG_KEY = _Reason("the credentials are not accepted", "check the access key and its secret")
_EXPIRED = _Reason("the credentials have expired", "renew them")
_NO_CREDENTIALS = _Reason("there are no credentials", _CREDENTIALS)
_THROTTLED = _Reason("the server asks to slow down", _LATER, is_outage=True)
_BROKEN = _Reason("the server has an error of its own", _LATER, is_outage=True)
_NO_BUCKET = _Reason("there is no such bucket", "check its name, and the endpoint_url if there is one")
_SILENT = _Reason(
    "the server does not answer in time", "check the network, or try again later", is_outage=True
)
_UNREACHABLE = _Reason(
    "the server cannot be reached", "check the network, the region and the endpoint_url", is_outage=True
)
_CUT_OFF = _Reason("the connection was cut", _LATER, is_outage=True)
_UNTRUSTED = _Reason(
    "no secure connection can be made",
    "check the certificate of the server, or set AWS_CA_BUNDLE",
    is_outage=True,
)

_BY_CODE = {
    "NoSuchBucket": _NO_BUCKET,
    **dict.fromkeys(("AccessDenied", "AllAccessDisabled", "Forbidden", "403", "AccountProblem"), _DENIED),
    **dict.fromkeys(
        (
            "301",
            "307",
            "PermanentRedirect",
            "TemporaryRedirect",
            "AuthorizationHeaderMalformed",
            "IncorrectEndpoint",
        ),
        _REGION,
    ),
    **dict.fromkeys(("IllegalLocationConstraintException", "InvalidRegionName"), _REGION),
    **dict.fromkeys(("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "401"), _WRONG_KEY),
    **dict.fromkeys(("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"), _EXPIRED),
    **dict.fromkeys(("SlowDown", "Throttling", "RequestLimitExceeded", "TooManyRequests", "429"), _THROTTLED),
    **dict.fromkeys(("503", "ServiceUnavailable"), _THROTTLED),
    **dict.fromkeys(("500", "502", "504", "InternalError", "GatewayTimeout"), _BROKEN),
    "RequestTimeout": _CUT_OFF,
    "RequestTimeTooSkewed": _Reason("the clock of this machine is wrong", "set it"),
    "InvalidObjectState": _Reason(
        "the object is archived", "restore it, or move it to another storage class"
    ),
    "NoSuchKey": _Reason("the object is gone", "list the store to see what there is"),
}
_BY_CLASS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], _Reason], ...] = (
    ((raised.NoCredentialsError, raised.PartialCredentialsError), _NO_CREDENTIALS),
    ((raised.CredentialRetrievalError, raised.TokenRetrievalError, raised.SSOError), _EXPIRED),
    (raised.ProfileNotFound, _Reason("the profile that AWS_PROFILE names does not exist", "correct it")),
    (raised.SSLError, _UNTRUSTED),
    ((raised.ConnectTimeoutError, raised.ReadTimeoutError), _SILENT),
    ((raised.EndpointConnectionError, raised.ProxyConnectionError), _UNREACHABLE),
    ((raised.HTTPClientError, raised.ResponseStreamingError, raised.IncompleteReadError), _CUT_OFF),
    (
        raised.ParamValidationError,
        _Reason("the name is not one that S3 takes", "check the bucket and the path"),
    ),
    (raised.FlexibleChecksumError, _Reason("the bytes do not match their checksum", "store the object anew")),
)
BOTO_ERRORS = (raised.ClientError, raised.BotoCoreError)


def code_of(error: Exception) -> str:
    """The code of what a server answered, "" when it did not answer."""
    return str(_answer(error).get("Error", {}).get("Code", ""))


def status_of(error: Exception) -> int:
    """The HTTP status of what a server answered, 0 when it did not answer."""
    return int(_answer(error).get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def attempts_before(error: Exception) -> int:
    """How often a request was sent before the attempt that this error tells of."""
    return int(_answer(error).get("ResponseMetadata", {}).get("RetryAttempts", 0))


def is_absent(error: Exception) -> bool:
    """Whether a server says that there is no such object."""
    return code_of(error) in ABSENT


def is_mismatch(error: Exception) -> bool:
    """Whether a server says that the condition of a request does not hold."""
    return code_of(error) in MISMATCH


def is_outcome_unknown(error: Exception) -> bool:
    """Whether a request may have had its effect though it failed."""
    return _reason(error).is_outage


def failure(doing: str, place: Place, error: Exception) -> StoreError:
    """The sentence about something that failed.

    Args:
        doing: What could not be done, such as "'a.md' could not be read".
        place: Where.
        error: What boto3 raised.
    """
    reason, code = _reason(error), code_of(error)
    kind = UnavailableError if reason.is_outage else StoreError
    shown = f" ({code})" if code else ""
    return kind(f"{doing} in {place.identity}: {reason.what}{shown}; {reason.cure}.")


def _reason(error: Exception) -> _Reason:
    if found := _BY_CODE.get(code_of(error)):
        return found
    if isinstance(error, raised.ClientError):
        if status_of(error) >= 500:
            return _BROKEN
        return _Reason("the server refuses the request", "see what it says of this code")
    for kinds, reason in _BY_CLASS:
        if isinstance(error, kinds):
            return reason
    return _Reason(f"boto3 failed with {type(error).__name__}", "see that error")


def _answer(error: Exception) -> dict[str, Any]:
    return dict(error.response) if isinstance(error, raised.ClientError) else {}
