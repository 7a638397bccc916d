"""Where in S3 a store lies, and how an address says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from fingerpost import ConfigError, DocumentStore, KnowledgePathError

OPTIONS = ("endpoint_url", "region", "writable")
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]|arn:[A-Za-z0-9:/._-]+")
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True, slots=True)
class Place:
    """The objects of a bucket whose keys start with a prefix and a slash.

    Attributes:
        bucket: The bucket.
        prefix: What comes before the paths in the keys, without a slash at either end; "" for all objects.
        region: The region of the bucket; None for what is set up for boto3.
        endpoint_url: The server, if it is not Amazon's.
    """

    bucket: str
    prefix: str = ""
    region: str | None = None
    endpoint_url: str | None = None

    @property
    def identity(self) -> str:
        """An address of this place, without its region."""
        server = f"?endpoint_url={self.endpoint_url}" if self.endpoint_url else ""
        path = f"/{quote(self.prefix)}" if self.prefix else ""
        return f"s3://{self.bucket}{path}{server}"

    @property
    def start(self) -> str:
        """What every key starts with."""
        return f"{self.prefix}/" if self.prefix else ""

    def key(self, path: str) -> str:
        """The key of a path."""
        return self.start + path


def place_of(
    bucket: str, prefix: str = "", region: str | None = None, endpoint_url: str | None = None
) -> Place:
    """A place, once it is clear that it can be one.

    Raises:
        ConfigError: The bucket, the prefix or the endpoint is none.
    """
    if not _BUCKET.fullmatch(bucket):
        raise ConfigError(
            f"{bucket!r} is no name of a bucket; give the name alone, such as 'handbook', and the folder in "
            "it as prefix."
        )
    plain = prefix.strip("/")
    try:
        is_plain = not plain or DocumentStore.normalise(plain) == plain
    except KnowledgePathError:
        is_plain = False
    if not is_plain:
        raise ConfigError(
            f"The prefix {prefix!r} is no folder: it holds an empty, '.' or '..' segment, a backslash or a "
            "NUL; give one such as 'kb/handbook'."
        )
    return Place(bucket, plain, region or None, _endpoint(endpoint_url) if endpoint_url else None)


def parsed(address: str) -> tuple[Place, bool]:
    """The place that an address such as "s3://bucket/prefix?region=eu-west-1" names, and whether to write.

    Raises:
        ConfigError: It names none.
    """
    parts = urlsplit(address)
    if parts.scheme.lower() != "s3" or parts.fragment:
        raise ConfigError(
            "The address is not like 's3://bucket/prefix'; write '#' and '?' in it as '%23' and '%3F'."
        )
    if "@" in parts.netloc:
        raise ConfigError(
            "The address of a bucket holds credentials; leave them out, as boto3 finds them in the "
            "environment, in a profile, or in the role of the machine."
        )
    given = parse_qsl(parts.query, keep_blank_values=True)
    options = dict(given)
    if unknown := sorted(options.keys() - {*OPTIONS}):
        raise ConfigError(
            f"The address of the bucket {parts.netloc!r} has an unknown option {unknown[0]!r}; there are "
            f"{', '.join(OPTIONS)}."
        )
    if len(options) < len(given):
        raise ConfigError(f"The address of the bucket {parts.netloc!r} has an option twice; leave one out.")
    writable = _TRUTH.get(options.get("writable", "true").lower())
    if writable is None:
        raise ConfigError(f"The option 'writable' is {options['writable']!r}; give true or false.")
    place = place_of(parts.netloc, unquote(parts.path), options.get("region"), options.get("endpoint_url"))
    return place, writable


def _endpoint(url: str) -> str:
    """An endpoint in its one spelling.

    Raises:
        ConfigError: It is none, or holds credentials.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            "The endpoint_url holds credentials; leave them out, as boto3 finds them by itself."
        )
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        raise ConfigError(f"{url!r} is no endpoint; give one such as 'https://s3.example.com'.")
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
