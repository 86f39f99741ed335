"""The recipes of other systems: one RPM built and installed, the rest read by linters."""

import hashlib
import re
import shutil

import pytest

from conftest import COPIED, HELLO, REPOSITORY, files, run

RECIPES = {"APKBUILD", "PKGBUILD", "viatty.nix", "viatty.rb", "viatty.spec"}


@pytest.fixture(scope="module")
def recipes(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("recipes")
    run(REPOSITORY / ".packaging" / "fill", archive, folder)
    return folder


def test_every_recipe_names_the_version_and_the_archive(recipes, archive, version):
    assert {path.name for path in recipes.iterdir()} == {archive.name, *RECIPES}
    for name in RECIPES:
        text = (recipes / name).read_text()
        assert version in text, name
        assert not re.search(r"@[A-Z0-9_]+@", text), name


def test_the_checksums_are_those_of_the_archive(recipes, archive):
    content = archive.read_bytes()
    for name, hash in (("PKGBUILD", "sha256"), ("viatty.rb", "sha256"), ("APKBUILD", "sha512")):
        assert hashlib.new(hash, content).hexdigest() in (recipes / name).read_text(), name


@pytest.mark.needs("ruby")
def test_ruby_reads_the_formula(recipes):
    assert run("ruby", "-wc", str(recipes / "viatty.rb")) == "Syntax OK\n"


@pytest.mark.needs("bash", "shellcheck")
@pytest.mark.parametrize("name, shell", [("PKGBUILD", "bash"), ("APKBUILD", "sh")])
def test_shells_read_the_recipe(recipes, name, shell):
    run(shell, "-n", str(recipes / name))
    run("shellcheck", "-s", shell, str(recipes / name))


@pytest.mark.needs("nix-instantiate")
def test_nix_reads_the_expression(recipes, tmp_path):
    # It has no store yet, and shall make none.
    environment = {name: str(tmp_path) for name in (
        "HOME", "NIX_STORE_DIR", "NIX_STATE_DIR", "NIX_LOG_DIR", "NIX_CONF_DIR"
    )}
    said = run("nix-instantiate", "--parse", str(recipes / "viatty.nix"), environment=environment)
    assert "mkDerivation" in said


# ---- the RPM -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def rpm(builder, recipes):
    """Built without Fedora's packages, and without the tests, which Debian's build has run."""
    folder = builder.folder / "rpm"
    shutil.copytree(recipes, folder)
    folder.chmod(0o777)
    builder(
        "rpmbuild", "-bb", "--nodeps", "--without", "check", "--define", f"_topdir {folder}",
        "--define", f"_sourcedir {folder}", "rpm/viatty.spec",
    )
    (package,) = folder.glob("RPMS/*/viatty-[0-9]*.rpm")
    return package


@pytest.mark.needs("rpmbuild")
@pytest.mark.timeout(600)
def test_the_rpm_needs_the_shared_libraries(rpm):
    needed = run("rpm", "--query", "--requires", "--package", str(rpm))
    assert "libb64.so" in needed and "libtermkey.so.1" in needed


@pytest.mark.root
@pytest.mark.needs("rpmbuild")
@pytest.mark.timeout(600)
def test_the_rpm_installs_runs_and_leaves_nothing(rpm, tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    within = ("rpm", "--root", str(root), "--dbpath", "/var/lib/rpm")
    run(*within, "--initdb")
    run(*within, "--install", "--nodeps", str(rpm))
    installed = files(root, but=["var"])
    for name in ("bin/osc52", "LICENSE", "man1/osc52.1"):
        assert any(re.search(rf"/{name}(\.gz)?$", path) for path in installed), name
    assert run(f"{root}/usr/bin/osc52", *HELLO) == COPIED
    run(*within, "--verify", "--nodeps", "viatty")
    run(*within, "--erase", "viatty")
    assert files(root, but=["var"]) == set()
