# Homebrew: brew install --build-from-source ./viatty.rb, with the archive beside this file.
class Viatty < Formula
  desc "Copy to the local clipboard through the terminal"
  homepage "@URL@"
  url "file://#{__dir__}/viatty-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "make" => :build
  depends_on "libb64"
  depends_on "libtermkey"
  depends_on "unibilium"

  def install
    system "gmake", "install", "PREFIX=#{prefix}", "SHARED=1",
           "BASHDIR=#{bash_completion}", "ZSHDIR=#{zsh_completion}", "FISHDIR=#{fish_completion}",
           "CPPFLAGS=-I#{HOMEBREW_PREFIX}/include", "LDFLAGS=-L#{HOMEBREW_PREFIX}/lib"
  end

  test do
    assert_equal "\\e]52;c;aGVsbG8=\\e\\\\\n",
                 shell_output("#{bin}/osc52 --print=esc --wrap=none --string hello")
  end
end
