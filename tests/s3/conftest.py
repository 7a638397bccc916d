from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import count

import pytest

from environments import services
from tests.s3.buckets import Bucket, Server, moto

_numbers = count()


@pytest.fixture(scope="package", autouse=True)
def credentials(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Boto3 knows the credentials of the servers of these tests, and nothing of this machine's user."""
    nothing = str(tmp_path_factory.getbasetemp() / "no-such-file")
    given = {
        "AWS_ACCESS_KEY_ID": services.S3_KEY,
        "AWS_SECRET_ACCESS_KEY": services.S3_SECRET,
        "AWS_CONFIG_FILE": nothing,
        "AWS_SHARED_CREDENTIALS_FILE": nothing,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    unwanted = ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_SESSION_TOKEN")
    with pytest.MonkeyPatch.context() as environment:
        for name, value in given.items():
            environment.setenv(name, value)
        for name in unwanted:
            environment.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session")
def moto_server() -> Iterator[Server]:
    """Moto as a server: the errors and the order of Amazon."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with moto() as server:
        yield server


@pytest.fixture(scope="session")
def seaweedfs_server() -> Iterator[Server]:
    """SeaweedFS: real, and with an order of its own."""
    with services.seaweedfs() as service:
        yield Server(service.url)


@pytest.fixture(params=["moto", pytest.param("seaweedfs", marks=pytest.mark.services)])
def server(request: pytest.FixtureRequest) -> Server:
    """Each of the servers that mind conditions."""
    return request.getfixturevalue(f"{request.param}_server")


@pytest.fixture
def bucket(server: Server) -> Bucket:
    """An empty bucket of each of these servers."""
    return server.new_bucket(f"bucket-{next(_numbers)}")


@pytest.fixture
def moto_bucket(moto_server: Server) -> Bucket:
    """An empty bucket of moto."""
    return moto_server.new_bucket(f"only-{next(_numbers)}")
