"""What keeps a repository from being fetched, as a sentence that says what to do."""

from __future__ import annotations

import re

from fingerpost.errors import StoreError
from fingerpost.stores.git_command import GitError

_KNOWN = (
    (
        r"timed out|took longer|operation too slow|early eof|hung up|connection reset",
        "the connection was too slow or broke off; it is tried again",
    ),
    (
        r"could not resolve (?:host|proxy)|couldn't resolve",
        "its host is not known; check the address and the network",
    ),
    (
        r"failed to connect|couldn't connect|connection refused|network is unreachable|no route to host",
        "its host does not answer; check the address and the network",
    ),
    (
        r"certificate|ssl|tls",
        "the certificate of its host is not trusted; name the right one as ca_file, or check the address",
    ),
    (
        r"authentication failed|could not read (?:username|password)|error: 40[13]|terminal prompts",
        "it asks for credentials, or refuses those given; give 'https://user:token@host/...' with good ones",
    ),
    (
        r"redirect|error: 30[1278]",
        "its host sends credentials elsewhere, where they are not sent; give the address that it leads to",
    ),
    (
        r"dubious ownership|unsafe repository",
        "it belongs to another user; give it to the user of this process, or have it served over https",
    ),
    (
        r"not our ref|unadvertised object|couldn't find remote ref|no such remote ref|bad object",
        "it has no such revision, or no branch that leads to it; check the revision",
    ),
    (
        r"does not appear to be a git repository|not a git repository|not found|error: 404",
        "there is no repository, or none that these credentials may see; check the address",
    ),
    (r"no space left", "the disk is full; make room in the folder that FINGERPOST_CACHE names"),
    (r"too much", "it holds more than is served"),
)


def is_explained(error: GitError) -> bool:
    """Whether the reason lies with the repository or the network, and not with what is kept here."""
    return _reason(error) != ""


def unfetched(identity: str, error: GitError) -> StoreError:
    """The sentence about a repository that cannot be fetched."""
    reason = _reason(error) or f"{str(error).rstrip('.')}; see whether git can fetch it by hand"
    return StoreError(f"The repository {identity!r} cannot be fetched: {reason}.")


def _reason(error: GitError) -> str:
    said = error.said.lower()
    return next((reason for pattern, reason in _KNOWN if re.search(pattern, said)), "")
