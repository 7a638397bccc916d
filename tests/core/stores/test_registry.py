from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fingerpost.errors import ConfigError
from fingerpost.stores import DocumentStore, LocalDocumentStore, MemoryDocumentStore, from_uri, register


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages that offer stores."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "plug_in_stores.py").write_text(
        "from fingerpost.stores import MemoryDocumentStore\n"
        "def works(uri): return MemoryDocumentStore({'uri.md': uri})\n"
        "def fails(uri): raise RuntimeError('secret in ' + uri)\n"
        "def makes_nothing(uri): return None\n"
    )
    (site / "plug_in_broken.py").write_text("raise ZeroDivisionError('while importing')\n")
    offers = {
        "one": "[fingerpost.stores]\nPlugtest = plug_in_stores:works\nplugfail = plug_in_stores:fails\n"
        "plugnone = plug_in_stores:makes_nothing\n"
        "plugbroken = plug_in_broken:store\nplugtwice = plug_in_stores:works\n"
        "file = plug_in_stores:works\n",
        "two": "[fingerpost.stores]\nplugtwice = plug_in_stores:fails\n",
    }
    for name, text in offers.items():
        info = site / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(text)
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    monkeypatch.delitem(sys.modules, "plug_in_stores", raising=False)
    return site


def test_a_plain_path_in_any_form_is_a_local_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("HOME", str(folder.parent))
    wanted = folder.as_uri()
    for address in (
        "kb",
        "./kb",
        str(folder),
        folder,
        "~/kb",
        wanted,
        f"FILE:{folder}",
        f"file://localhost{folder}",
    ):
        assert from_uri(address).identity == wanted, address


def test_a_path_is_no_address_whatever_it_looks_like(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file:kb").mkdir()
    assert from_uri(Path("file:kb")).identity == (tmp_path / "file:kb").as_uri()


def test_percent_signs_in_a_file_address_are_decoded(tmp_path: Path) -> None:
    odd = tmp_path / "50% off #1 é"
    odd.mkdir()
    (odd / "x.md").write_text("x")
    store = from_uri(odd.as_uri())
    assert store.list() == ["x.md"]
    assert store.identity == odd.as_uri()


def test_a_folder_whose_name_holds_a_colon_is_a_plain_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes:2024").mkdir()
    (tmp_path / "C:").mkdir()
    monkeypatch.chdir(tmp_path)
    assert isinstance(from_uri("notes:2024"), LocalDocumentStore)
    assert from_uri("C:/").identity == (tmp_path / "C:").as_uri()


@pytest.mark.parametrize("nothing", ["", "  ", None, 5, b"kb"])
def test_nothing_is_no_store(nothing: object) -> None:
    with pytest.raises(ConfigError, match="names no store"):
        from_uri(nothing)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("address", ["file:kb", "file://kb/x", "file://server/share", "file:"])
def test_a_file_address_without_an_absolute_path_says_how_to_write_one(address: str) -> None:
    with pytest.raises(ConfigError, match="with three slashes"):
        from_uri(address)


def test_a_registered_scheme_gets_the_whole_address_whatever_its_case() -> None:
    register("registered-1", lambda uri: MemoryDocumentStore({"uri.md": uri}))
    assert from_uri("Registered-1://host/x").read_bytes("uri.md") == b"Registered-1://host/x"


def test_a_scheme_is_registered_once_and_built_in_ones_never() -> None:
    def make(uri: str) -> DocumentStore:
        return MemoryDocumentStore()

    register("registered-2", make)
    for scheme, reason in (
        ("Registered-2", "registered already"),
        ("file", "built in"),
        ("c", "no scheme"),
        ("a b", "no scheme"),
    ):
        with pytest.raises(ConfigError, match=reason):
            register(scheme, make)


def test_an_unknown_scheme_names_the_nearest_and_keeps_passwords_to_itself() -> None:
    register("registered-3", lambda uri: MemoryDocumentStore())
    with pytest.raises(ConfigError, match=r"Did you mean 'registered-3'") as caught:
        from_uri("registred-3://user:hunter2@host")
    assert "hunter2" not in str(caught.value)
    assert "file" in str(caught.value)


@pytest.mark.usefixtures("installed")
class TestPlugIns:
    def test_an_installed_package_brings_a_scheme(self) -> None:
        assert from_uri("plugtest://x").read_bytes("uri.md") == b"plugtest://x"

    def test_a_package_cannot_take_over_a_built_in_scheme(self, folder: Path) -> None:
        assert isinstance(from_uri(folder.as_uri()), LocalDocumentStore)

    def test_an_import_error_names_the_plug_in_and_its_package(self) -> None:
        with pytest.raises(
            ConfigError,
            match=r"'plugbroken' \(plug_in_broken:store of one\) cannot be loaded \(ZeroDivisionError",
        ):
            from_uri("plugbroken://x")

    def test_a_failing_plug_in_is_named_without_the_address(self) -> None:
        with pytest.raises(ConfigError, match=r"'plugfail'.* failed with RuntimeError") as caught:
            from_uri("plugfail://user:hunter2@host")
        assert "hunter2" not in str(caught.value)
        assert isinstance(caught.value.__cause__, RuntimeError)

    def test_a_plug_in_that_makes_no_store_is_named(self) -> None:
        with pytest.raises(ConfigError, match=r"'plugnone'.* made no DocumentStore but NoneType"):
            from_uri("plugnone://x")

    def test_two_packages_for_one_scheme_are_refused(self) -> None:
        with pytest.raises(ConfigError, match="plug_in_stores:fails, plug_in_stores:works"):
            from_uri("plugtwice://x")

    def test_an_unknown_scheme_lists_what_is_installed(self) -> None:
        with pytest.raises(ConfigError, match=r"known are .*file, .*plugtest"):
            from_uri("zzz://x")


def test_plain_paths_and_file_addresses_do_not_look_for_plug_ins(folder: Path) -> None:
    import subprocess

    program = (
        "import sys\nfrom fingerpost.stores import from_uri\n"
        f"from_uri({str(folder)!r}); from_uri({folder.as_uri()!r})\n"
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
