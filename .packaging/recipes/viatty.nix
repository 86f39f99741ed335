# Nix: nix-build viatty.nix, with the archive beside this file.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "viatty";
  version = "@VERSION@";
  src = ./. + "/viatty-@VERSION@.tar.gz";

  strictDeps = true;
  buildInputs = [ pkgs.libb64 pkgs.libtermkey pkgs.unibilium ];
  nativeCheckInputs = [ pkgs.bash pkgs.mandoc pkgs.python3Packages.pytest ];

  enableParallelBuilding = true;
  makeFlags = [ "PREFIX=$(out)" "SHARED=1" ];
  postPatch = ''
    patchShebangs .
  '';

  doCheck = true;
  checkTarget = "check-packager";

  meta = {
    description = "Copy to the local clipboard through the terminal";
    homepage = "@URL@";
    license = pkgs.lib.licenses.mit;
    mainProgram = "viatty";
    platforms = pkgs.lib.platforms.unix;
  };
}
