# SPDX-License-Identifier: MIT
# viatty. Set CC, CFLAGS, CPPFLAGS, LDFLAGS, LDLIBS, PREFIX and DESTDIR as needed;
# WERROR=1 makes warnings errors, as in CI.

# Other versions of make parse this as a rule, and print the error.
define gnu_make_is_required:
.error viatty is built with GNU make: run gmake
endef

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
# fish of the system finds /usr/local/share in XDG_DATA_DIRS only, which ssh and containers do
# not set; the completions of the administrator are always read.
FISHLINKS = $(if $(filter Linux/usr/local,$(system)$(PREFIX)),/etc/fish/completions)

CFLAGS = -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
# The directory for objects, without spaces in its name; with another one the sources may be
# read-only. Other kinds of build use separate directories and programs.
BUILD = build
PROGRAM = $(if $(filter build,$(BUILD)),viatty,$(BUILD)/viatty)

# Homebrew and ports, which the compiler does not search
system := $(shell uname)
prefixes := $(if $(filter Linux,$(system)),,$(wildcard /opt/homebrew /usr/local))
# strict C11 hides POSIX and the extensions that all systems have; large files and 64-bit time
# on 32-bit systems
our_cppflags = -Isrc $(prefixes:%=-isystem %/include) -DVIATTY_VERSION='"$(version)"' -D_DEFAULT_SOURCE \
	-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
our_cflags = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wpointer-arith -Wformat=2 -Wvla \
	-Wundef -fno-common -fstack-protector-strong $(pie_cflags) \
	-fno-asynchronous-unwind-tables $(same_anywhere) $(if $(WERROR),-Werror)
pie_cflags = -fPIE
# For reproducible builds in any directory, except for coverage, which needs the paths.
same_anywhere = $(if $(findstring --coverage,$(CFLAGS)),,-ffile-prefix-map='$(CURDIR)=.' \
	-ffile-prefix-map=$(BUILD)=build)

# There are two ways to link: with shared libraries, or with STATIC=1 with the archives of all,
# that of the C library included, and without symbols.
form = $(if $(STATIC),$(static_form) $(unread) $(symbols),$(shared_form))
symbols = -s
# No terminfo is read (src/tty/reply.c): the names in it are not relocated at each start.
unread = -Wl,--defsym=unibi_name_str=abort
libraries = -lb64 -ltermkey $(if $(STATIC),-lunibilium)
# Apple's linker has none of these options, and always builds PIE
for_macos = $(findstring macos,$(subst darwin,macos,$(shell $(CC) -dumpmachine)))
shared_form = $(if $(for_macos),,-pie -Wl,-z,relro,-z,now)
# The first that can be linked: Debian's cross compilers for armhf, riscv64 and s390x lack the
# start file of -static-pie; only glibc 2.36 and later relocates what is packed, where an address
# in a table takes a bit instead of 24 bytes. Empty if an archive is missing.
static_form = $(or $(call linked,-static-pie $(packed),$(glibc)), \
	$(call linked,-static-pie),$(call linked,-static))
packed = -Wl,-z,pack-relative-relocs
glibc = _Static_assert(__GLIBC_PREREQ(2, 36), "");
linked = $(shell echo 'int main(void) { return 0; } $(2)' | \
	$(CC) $(LDFLAGS) -include features.h -Wl,--fatal-warnings $(1) -x c -o /dev/null - \
	$(libraries) -lunibilium 2>/dev/null && echo '$(1)')

# V=1 prints the commands
show = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
compile = $(call show,CC)$(CC) $(our_cppflags) $(CPPFLAGS) $(our_cflags) $(CFLAGS) -MMD -MP
link = $(call show,LINK)$(CC) $(CFLAGS) $(form) \
	$(foreach prefix,$(prefixes),-L$(prefix)/lib -Wl,-rpath,$(prefix)/lib) $(LDFLAGS) -o $@ $^
quietly = $(if $(V),,@)
make = +@$(MAKE) $(if $(V),,-s) --no-print-directory

# the generator is a separate program with the same objects
generator = $(wildcard src/generate/*.c)
mains = src/main.c $(generator)
sources = $(filter-out $(mains),$(wildcard src/*/*.c))
snippets = $(wildcard src/setup/*)
objects = $(patsubst src/%.c,$(BUILD)/%.o,$(sources)) $(BUILD)/snippets.o
unit_objects = $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/unit/*.c))
# The number of the release only where it is tagged so; before it 1.0.0~20261129.gabcdef, by the
# last commit, and behind it 1.0.0+12.gabcdef: packages of all systems may have these. A source
# archive has it in a file.
release = 1.0.0
git = git -c safe.directory='*'
version := $(shell cat VERSION 2>/dev/null || { \
	[ -e .git ] && { $(git) describe --tags --long --match '*$(release)' || \
	$(git) log -1 --format=%cd.g%h --date=format:%Y%m%d; } || echo unknown; } 2>/dev/null | \
	sed -e 's/.*-0-g.*/$(release)/' -e t -e 's/.*-\([0-9]*\)-g/$(release)+\1.g/' -e t \
		-e 's/^/$(release)~/')
pages = $(wildcard man/*.[1-8])

.PHONY: all help compile_commands.json program static unit replay test install uninstall deps \
	deb dist recipes release portable version generated picture clean \
	check check-all check-processors world asan ubsan coverage valgrind lint weight fuzz \
	bench bench-check check-unit check-replay check-golden check-pty check-real \
	check-terminals check-docs check-noninterference check-faults check-static \
	check-packages check-builds check-packager

all: $(PROGRAM)

# what the tables of CONTRIBUTING say
help:
	@sed -n '/^| `make/ { s/; \[results\].*|//; s/[`|]//g; s/   */\n    /; s/^ //; s/ *$$//; p; }' \
		CONTRIBUTING.md

$(sort $(PROGRAM) $(BUILD)/static/viatty): $(BUILD)/main.o $(objects)
	@mkdir -p $(@D)
	$(link) $(libraries) $(LDLIBS)

# One executable without dependencies
$(BUILD)/static/viatty: STATIC = 1
static: $(if $(static_form),$(BUILD)/static/viatty)
	$(if $^,,$(error an archive to link statically is missing: install the \
		one of libtermkey, unibilium, libb64 and the C library))

# compiled again where the version changes
$(BUILD)/cli/help.o: $(BUILD)/version
.PHONY: FORCE
$(BUILD)/version: FORCE
	@mkdir -p $(@D)
	@echo '$(version)' | cmp -s - $@ || echo '$(version)' >$@

$(BUILD)/generator: $(generator:src/%.c=$(BUILD)/%.o) $(objects)
	$(link) $(libraries) $(LDLIBS)

$(BUILD)/unit: $(unit_objects) $(objects)
	$(link) $(libraries) -lcriterion $(LDLIBS)
unit: $(BUILD)/unit

$(unit_objects): | $(BUILD)/criterion
$(BUILD)/criterion:
	@mkdir -p $(@D)
	@echo '#include <criterion/criterion.h>' | $(CC) $(CPPFLAGS) -E - >$@ 2>/dev/null || { \
		rm $@; echo 'Criterion is not installed: run make deps-check' >&2; exit 1; }

# without sanitizers, which take long to start
$(BUILD)/launch: tests/lib/launch.c
	@mkdir -p $(@D)
	$(call show,LINK)$(CC) -std=c11 -D_GNU_SOURCE -O1 -o $@ $<

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<

# The snippets of setup, and the scripts of ssh: src/setup/NAME.* as the text snippet_NAME.
$(BUILD)/snippets.c: $(snippets) Makefile
	@mkdir -p $(@D)
	$(call show,GEN)for file in $(snippets); do \
		name=$${file##*/}; \
		echo "const char snippet_$${name%%.*}[] ="; \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $$file; \
		echo ';'; \
	done >$@

$(BUILD)/snippets.o: $(BUILD)/snippets.c
	$(compile) -Wno-overlength-strings -c -o $@ $<

# tests run only on Linux
$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(compile) -D_GNU_SOURCE -c -o $@ $<

# for clangd and other tools of editors
compile_commands.json:
	@{ comma=; echo '['; for file in $(sources) $(mains) $(wildcard tests/*/*.c); do \
		case $$file in tests/*) more=-D_GNU_SOURCE ;; *) more= ;; esac; \
		printf '%s{ "directory": "%s", "file": "%s", "command": "%s" }\n' \
			"$$comma" '$(CURDIR)' $$file "$(strip $(CC) $(subst ",\\\",$(our_cppflags)) \
			$(CPPFLAGS) $(our_cflags) $(CFLAGS)) $$more -c $$file"; \
		comma=', '; \
	done; echo ']'; } >$@

# keep intermediate objects
.SECONDARY:

-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)

# ---- installing and packaging ------------------------------------------------

deps:
	sh .ci/deps build

# What `make install` installs: the static program, if it can be linked and neither PROGRAM nor
# SHARED is set. It starts faster, and needs no library where it is copied to.
installed = $(if $(SHARED)$(filter-out file,$(origin PROGRAM)),$(PROGRAM),$(if \
	$(static_form),$(BUILD)/static/viatty,$(PROGRAM)))

# builds that, so that it needs no compiler as root
program: $(if $(filter %/static/viatty,$(installed)),static,all)

# Quoted, because directory names may contain spaces.
directories = '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(MANDIR)/man7' \
	'$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)' '$(DESTDIR)$(FISHDIR)' \
	$(if $(FISHLINKS),'$(DESTDIR)$(FISHLINKS)')
# the first that must not be written
denied = $(shell for directory in $(directories); do \
	while [ ! -e "$$directory" ]; do directory=$$(dirname "$$directory"); done; \
	[ -w "$$directory" ] || { echo "$$directory"; break; }; done)
may_write = $(if $(denied),$(error cannot write to $(denied): run sudo make $@, or make \
	PREFIX=$$HOME/.local $@))

install: program
	$(may_write)$(quietly)install -d $(directories)
	$(quietly)install -m 755 '$(installed)' '$(DESTDIR)$(BINDIR)/viatty'
	$(quietly)ln -sf viatty '$(DESTDIR)$(BINDIR)/osc52'
	$(quietly)install -m 644 $(filter %.1,$(pages)) '$(DESTDIR)$(MANDIR)/man1'
	$(quietly)ln -sf viatty-copy.1 '$(DESTDIR)$(MANDIR)/man1/osc52.1'
	$(quietly)install -m 644 $(filter %.7,$(pages)) '$(DESTDIR)$(MANDIR)/man7'
	$(quietly)install -m 644 completions/viatty.bash '$(DESTDIR)$(BASHDIR)/viatty'
	$(quietly)ln -sf viatty '$(DESTDIR)$(BASHDIR)/osc52'
	$(quietly)install -m 644 completions/_viatty '$(DESTDIR)$(ZSHDIR)'
	$(quietly)install -m 644 completions/viatty.fish '$(DESTDIR)$(FISHDIR)'
	$(quietly)ln -sf viatty.fish '$(DESTDIR)$(FISHDIR)/osc52.fish'
	$(if $(FISHLINKS),$(quietly)for name in viatty osc52; do \
		ln -sf '$(FISHDIR)'/$$name.fish '$(DESTDIR)$(FISHLINKS)'; done)
	$(if $(DESTDIR),,@echo 'viatty $(version) is installed: $(BINDIR)/viatty, and' \
		'$(BINDIR)/osc52, which is viatty copy.'; \
		echo 'To see what works in this terminal, type: viatty doctor')

# Directories that are empty then go, up to PREFIX, but not those that a system is set up with.
uninstall:
	$(may_write)$(quietly)rm -f '$(DESTDIR)$(BINDIR)/viatty' '$(DESTDIR)$(BINDIR)/osc52' \
		'$(DESTDIR)$(BASHDIR)/viatty' '$(DESTDIR)$(BASHDIR)/osc52' \
		'$(DESTDIR)$(ZSHDIR)/_viatty' \
		'$(DESTDIR)$(FISHDIR)/viatty.fish' '$(DESTDIR)$(FISHDIR)/osc52.fish'
	$(quietly)for page in $(notdir $(pages)) osc52.1; do \
		rm -f '$(DESTDIR)$(MANDIR)'/man"$${page##*.}/$$page"; \
	done
	$(if $(FISHLINKS),$(quietly)rm -f '$(DESTDIR)$(FISHLINKS)/viatty.fish' \
		'$(DESTDIR)$(FISHLINKS)/osc52.fish'; \
		[ -e '$(DESTDIR)/etc/fish/config.fish' ] || \
		rmdir '$(DESTDIR)$(FISHLINKS)' '$(DESTDIR)/etc/fish' 2>/dev/null || :)
	$(quietly)for directory in $(directories); do \
		while case $$directory in \
		/usr/local/bin | /usr/local/share | /usr/local/share/man) false ;; \
		'$(DESTDIR)$(PREFIX)' | '$(DESTDIR)$(PREFIX)'/*) rmdir "$$directory" 2>/dev/null ;; \
		*) false ;; \
		esac; do directory=$${directory%/*}; done; \
	done

# build/cross/PROCESSOR/viatty: the static program for a processor in .packaging/processors, with
# Debian's cross compiler and libraries. GOALS='all replay' builds both.
GOALS = all
cross-%: compiler = $(shell sed -n 's/^$* .* \([^ ]*-gcc\) .*/\1/p' .packaging/processors)
cross-%: folder = $(shell .packaging/libraries $*)
cross-%:
	$(if $(folder),,$(error no libraries for $*))
	$(make) $(GOALS) BUILD=build/cross/$* PROGRAM=build/cross/$*/viatty STATIC=1 \
		CC=$(compiler) CPPFLAGS='$(CPPFLAGS) -isystem $(folder)/usr/include' \
		LDFLAGS='$(LDFLAGS) -L$(wildcard $(folder)/usr/lib/*/)'

# build/portable/TARGET/viatty for macOS and FreeBSD, or only for TARGET. A target is skipped
# if its parts cannot be fetched.
portable:
	@MAKE='$(MAKE)' .ci/portable
portable-%:
	@MAKE='$(MAKE)' .ci/portable $*

# build/deb/viatty_VERSION_ARCHITECTURE.deb; DEB_BUILD_OPTIONS= also runs check-packager
deb: export DEB_BUILD_OPTIONS ?= nocheck
deb: dist
	.packaging/deb viatty-$(version).tar.gz build/deb

# build/release: an archive for each row of .packaging/releases, or ONLY='linux-i686'
release:
	@.packaging/release $(version) build/release $(ONLY)

# build/recipes: for Arch Linux, Alpine, Fedora, Homebrew and Nix
recipes: dist
	.packaging/fill viatty-$(version).tar.gz build/recipes

version:
	@echo $(version)

# the tables of the manual, from those in src/terminal, and the contact, from src/cli/cli.h
generated: $(BUILD)/generator
	for page in man/viatty-terminals.7 man/viatty-multiplexers.7 SECURITY.md CONTRIBUTING.md; do \
		$< <$$page >$(BUILD)/page && cat $(BUILD)/page >$$page || exit 1; \
	done

dist:
	.packaging/dist $(version) viatty-$(version).tar.gz

clean:
	rm -rf build viatty viatty-*.tar.gz compile_commands.json tests/__pycache__ tests/*/__pycache__

# ---- testing -----------------------------------------------------------------

# deps-check, deps-all, deps-lint ...: what these targets need; .ci/deps lists them
deps-%: deps
	sh .ci/deps $*

deps-terminals: deps
	sh .ci/deps terminals
	sh .ci/deps modules
	sh .ci/deps vscode

# what deps-check, deps-lint install
python = $(if $(shell command -v python3),,$(error \
	python3 is not installed: run make deps-$(or $(deps),check)))

# KEPT in tests/lib/surroundings.py must list the variables set here
testing = $(python)VIATTY='$(abspath $(PROGRAM))' VIATTY_GENERATOR='$(abspath $(BUILD)/generator)' \
	VIATTY_UNIT='$(abspath $(BUILD)/unit)' VIATTY_REPLAY='$(abspath $(BUILD)/replay)' \
	VIATTY_LAUNCH='$(abspath $(BUILD)/launch)' FULL=$(FULL) \
	$(if $(filter static,$^),VIATTY_STATIC='$(abspath $(BUILD)/static/viatty)') tests/check

# SUITE=trixie or sid: in a root directory with that Debian suite, which `make world` creates
# if needed. check-all ONLY='unit golden' runs only these suites, whole.
ifdef SUITE
check check-all: export WERROR := $(WERROR)
check check-all:
	@tests/world/check $(SUITE) $@ $(ONLY)
else
check: all unit $(BUILD)/generator $(BUILD)/launch
	$(if $(ONLY),$(error ONLY= is for check-all))$(testing)

# With the static program, but for the builds of sanitizers and other tools.
check-all: all unit $(BUILD)/generator replay $(BUILD)/launch \
		$(if $(filter build,$(BUILD)),$(if $(static_form),static))
	$(testing) $(or $(ONLY),all)
endif

test: check

world:
	@tests/world/make $(SUITE)

# One suite, whole. faults: FULL=1 for longer runs. packages: the package and
# the static program, installed and run in empty roots. builds: in copies of the sources.
check-unit: unit
check-replay: replay
check-golden check-pty check-real check-terminals check-docs check-noninterference \
	check-faults: all $(BUILD)/generator $(BUILD)/launch
check-static check-packages: static
check-unit check-replay check-golden check-pty check-real check-terminals check-docs \
	check-noninterference check-faults check-static check-packages check-builds:
	$(testing) $(@:check-%=%)

# the tests that need neither root nor a terminal, the network, Criterion or xdist; those for
# a missing program are skipped, even in CI
check-packager: all replay $(BUILD)/generator $(BUILD)/launch
	env -u CI $(testing) replay golden docs

# all of .packaging/processors, or ONLY='i686 s390x'; `.ci/deps processors` installs the
# requirements
check-processors:
	@WERROR=$(WERROR) tests/processors/check $(ONLY)

# check-all in a build of its own
instrumented = $(make) check-all BUILD=build/$@ PROGRAM=build/$@/viatty
undefined = -fsanitize=undefined -fno-sanitize-recover=all

# With both sanitizers. A leak does not fail a Criterion test, so check the report files.
asan: export ASAN_OPTIONS = log_path='$(abspath build/asan/report)'
asan: export VIATTY_LOGS = $(abspath build/asan)
asan:
	@rm -f build/asan/report.*
	$(instrumented) CFLAGS='-O1 -g -fsanitize=address $(undefined) -fno-omit-frame-pointer'

# Includes the tests that cannot run under ASan, those of running out of memory.
ubsan:
	$(instrumented) CFLAGS='-O1 -g $(undefined)'

# without optimization, so that every line is counted separately; the report is also printed
# if tests fail
coverage:
	@rm -rf build/coverage
	$(make) build/coverage/tests/coverage/dump.o BUILD=build/coverage CFLAGS=-g
	$(instrumented) CFLAGS='-g --coverage' LDFLAGS=-Wl,--wrap=raise \
		LDLIBS=build/coverage/tests/coverage/dump.o || status=1; \
	tests/coverage/report build/coverage; exit $${status:-0}

valgrind: all unit
	tests/valgrind $(PROGRAM)

lint: deps = lint
lint:
	$(python)tests/lint/run $(CC)

# lines of code; lint compares them with tests/lint/ceilings, where that exists
weight:
	@tests/lint/weight

# fuzzing: the targets (default: all) and the seconds for each; or RUNS executions, which are
# reproducible with SEED
T = 60
TARGETS = $(fuzz_targets)
fuzz_targets = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz_objects = $(objects:$(BUILD)/%=$(BUILD)/fuzzed/%)
fuzz_compile = clang -std=c11 $(our_cppflags) -O1 -g -fsanitize=address $(undefined)

fuzz: $(TARGETS:%=$(BUILD)/fuzz/%)
	@T=$(T) SEED=$(SEED) RUNS=$(RUNS) tests/fuzz/run $^

$(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c $(fuzz_objects)
	@mkdir -p $(@D)
	$(call show,FUZZ)$(fuzz_compile) -D_GNU_SOURCE -fsanitize=fuzzer -o $@ $^ $(libraries)

$(BUILD)/fuzzed/%.o: src/%.c
	@mkdir -p $(@D)
	$(call show,CC)$(fuzz_compile) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(BUILD)/fuzzed/snippets.o: $(BUILD)/snippets.c
	@mkdir -p $(@D)
	$(call show,CC)$(fuzz_compile) -fsanitize=fuzzer-no-link -c -o $@ $<

# the fuzz targets without clang, to run the corpora
replay: $(fuzz_targets:%=$(BUILD)/replay/%)

$(BUILD)/replay/%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(objects)
	@mkdir -p $(@D)
	$(link) $(libraries) $(LDLIBS)

# the demonstration in README: GNOME Terminal and kitty on a separate X server, ssh and tmux
picture: all
	tests/picture/draw

# Of what README's command installs. A minute or two; bench-check checks the limits of counted
# quantities, which do not depend on the load of the machine. ONLY='start peers replies speed
# growth' selects the timed ones.
bench: program
	tests/bench/run $(installed) $(ONLY)

bench-check: static
	tests/bench/run --check $(BUILD)/static/viatty $(or $(ONLY),instructions calls memory)
