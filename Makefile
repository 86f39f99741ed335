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

CFLAGS = $(optimize) -g
# The directory for objects, without spaces in its name; with another one the sources may be
# read-only. Other kinds of build use separate directories and programs.
BUILD = build
PROGRAM = $(if $(filter build,$(BUILD)),viatty,$(BUILD)/viatty)
# For speed what handles each byte of a large input, the rest for size.
optimize = -Os
fast = base/base64.o base/buf.o base/io.o base/text.o encoder/%.o tty/query.o tty/reply.o tty/tty.o \
	commands/linkify%.o
$(fast:%=$(BUILD)/%): optimize = -O2
# fuzzing: the targets (default: all) and the seconds for each; or RUNS executions, which are
# reproducible with SEED
T = 60
TARGETS = $(fuzz_targets)

# strict C11 hides POSIX and the extensions that all systems have
system_cppflags = -D_DEFAULT_SOURCE $(wide_cppflags)
# large files and 64-bit time on 32-bit systems
wide_cppflags = -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
# Homebrew and ports, which the compiler does not search
system := $(shell uname)
prefixes := $(if $(filter Linux,$(system)),,$(wildcard /opt/homebrew /usr/local))
our_cppflags = -Isrc $(prefixes:%=-isystem %/include) $(system_cppflags) $(fortify)
# Unless the user defines it; undefined first, because some compilers define it by default.
# Without optimization the headers warn about it.
fortify = $(if $(findstring _FORTIFY_SOURCE,$(CC) $(CPPFLAGS) $(CFLAGS)),,$(if \
	$(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS)))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
our_cflags = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wpointer-arith -Wformat=2 -Wvla \
	-Wundef -fno-common -fstack-protector-strong $(pie_cflags) \
	-fno-asynchronous-unwind-tables \
	$(same_anywhere) $(if $(WERROR),-Werror)
# For reproducible builds in any directory, except for coverage, which needs the paths.
same_anywhere = $(if $(findstring --coverage,$(CFLAGS)),,-ffile-prefix-map='$(CURDIR)=.' \
	-ffile-prefix-map=$(BUILD)=build)
pie_cflags = -fPIE
target := $(shell $(CC) -dumpmachine 2>/dev/null)
# Apple's linker has neither option, and always builds PIE
for_macos = $(findstring macos,$(subst darwin,macos,$(target)))
pie_ldflags = $(if $(for_macos),,-pie -Wl,-z,relro,-z,now$(packed_relocations))
# An address in a table takes a bit instead of 24 bytes, but such a program does not start with
# glibc before 2.36.
packed_relocations = $(shell \
	echo 'int main(void) { return 0; } _Static_assert(__GLIBC_PREREQ(2, 36), "");' | \
	$(CC) $(LDFLAGS) -include features.h -fPIE -pie -Wl,--fatal-warnings,$(pack) \
	-x c -o /dev/null - 2>/dev/null && echo ,$(pack))
pack = -z,pack-relative-relocs
dependencies = -MMD -MP
static_ldflags = -static -Wl,--gc-sections
finder = $(CC)
# tcc supports less; it does not report its target either
ifeq ($(target),)
fortify =
# glibc's regex.h declares an array whose length is another parameter
our_cppflags += -D__STDC_NO_VLA__
pie_ldflags =
dependencies = -MD
static_ldflags = -static
endif
# musl-gcc searches only its own directories for headers and libraries: add ours, and the
# functions that archives built for glibc call.
ifneq ($(filter %musl-gcc,$(CC)),)
our_cppflags += -idirafter /usr/include
additions = $(BUILD)/static/fortify.o
finder = gcc
endif
# Linked statically if the system has the archives, to start faster: three files fewer to
# find, map and relocate. SHARED=1 links the shared libraries, as distributions require.
archive = $(or $(filter /%,$(shell $(finder) -print-file-name=lib$(1).a 2>/dev/null)),-l$(1))
libb64 = $(call archive,b64)
# The archive of libtermkey needs that of unibilium, which Debian has in another package.
libtermkey = $(if $(filter /%,$(call archive,unibilium)),$(call archive,termkey) $(call \
	archive,unibilium),-ltermkey)
static_ldlibs = $(libb64) $(libtermkey)
our_ldlibs = $(if $(SHARED),-lb64 -ltermkey,$(static_ldlibs))

# what `make static` takes, unless CC is set
static_cc = $(if $(filter default,$(origin CC)),$(shell command -v musl-gcc))

# V=1 prints the commands
show = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
compile = $(call show,CC)$(CC) $(our_cppflags) $(CPPFLAGS) $(our_cflags) $(CFLAGS) $(dependencies)
link = $(call show,LINK)$(CC) $(CFLAGS) $(pie_ldflags) \
	$(foreach prefix,$(prefixes),-L$(prefix)/lib -Wl,-rpath,$(prefix)/lib) $(LDFLAGS)

# the generator is a separate program with the same objects
generator = $(wildcard src/generate/*.c)
mains = src/main.c $(generator)
sources = $(filter-out $(mains) src/static/%,$(wildcard src/*/*.c))
snippets = $(wildcard src/setup/*)
objects = $(patsubst src/%.c,$(BUILD)/%.o,$(sources)) $(BUILD)/snippets.o
unit_objects = $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/unit/*.c))
version = $(shell sed -n 's/.*VERSION "\(.*\)"/\1/p' src/cli/cli.h)
pages = $(wildcard man/*.[1-8])

.PHONY: all program help compile_commands.json test install uninstall deps check check-all check-unit check-golden check-static \
	check-pty check-real check-terminals check-docs check-replay check-faults \
	check-packages check-packager check-builds check-processors world check-noninterference unit static asan ubsan coverage valgrind lint weight \
	fuzz bench bench-check completions \
	generated dist deb recipes release picture version clean

all: $(PROGRAM)

# what the tables of CONTRIBUTING say
help:
	@sed -n '/^| `make/ { s/; \[results\].*|//; s/[`|]//g; s/   */\n    /; s/^ //; s/ *$$//; p; }' \
		CONTRIBUTING.md

$(PROGRAM): $(BUILD)/main.o $(objects) $(additions)
	$(link) -o $@ $^ $(our_ldlibs) $(LDLIBS)

$(BUILD)/generator: $(generator:src/%.c=$(BUILD)/%.o) $(objects) $(additions)
	$(link) -o $@ $^ $(our_ldlibs) $(LDLIBS)

$(BUILD)/unit: $(unit_objects) $(objects)
	$(link) -o $@ $^ $(our_ldlibs) -lcriterion $(LDLIBS)

$(unit_objects): | $(BUILD)/criterion
$(BUILD)/criterion:
	@mkdir -p $(@D)
	@echo '#include <criterion/criterion.h>' | $(CC) $(CPPFLAGS) -E - >$@ 2>/dev/null || { \
		rm $@; echo 'Criterion is not installed: run make deps-check' >&2; exit 1; }

$(BUILD)/inject: $(BUILD)/tests/faults/inject.o
	$(link) -o $@ $^

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<

# The snippets of setup: src/setup/NAME.* as the text snippet_NAME.
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
			"$$comma" '$(CURDIR)' $$file "$(strip $(CC) $(our_cppflags) \
			$(CPPFLAGS) $(our_cflags) $(CFLAGS)) $$more -c $$file"; \
		comma=', '; \
	done; echo ']'; } >$@

# keep intermediate objects
.SECONDARY:

-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)

# ---- installing and packaging ------------------------------------------------

deps:
	sh .ci/deps build

# `make install` installs the static program if musl-gcc is there and neither CC, PROGRAM nor
# SHARED is set. It starts in 0.4 of the time that a program with shared glibc needs, where no
# option of the linker helps (lazy binding 1.00, a fixed address 0.95, a static PIE with glibc
# 0.87; the latter cannot load modules of NSS after an update of glibc). What that costs:
# - Names of users: musl reads /etc/passwd only. base/user.c asks getent(1) for the others.
# - Hardening: it is a PIE with -fstack-protector-strong, but musl ignores _FORTIFY_SOURCE and
#   RELRO. Its allocator is the safer one, with metadata apart from the data.
# - Updates: a mended libc needs `make install`, as a mended libtermkey does anyway.
installs_static = $(if $(SHARED)$(filter-out file,$(origin PROGRAM)),,$(static_cc))
installed = $(if $(installs_static),$(BUILD)/static/viatty,$(PROGRAM))

# builds what `make install` installs, which then needs no compiler as root
program: $(if $(installs_static),static,all)

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
quietly = $(if $(V),,@)

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

# One executable without dependencies. musl, used if installed and CC is not set, starts without
# the CPUID instructions of glibc, each of which traps in a virtual machine. Where it has a
# start file for that, the program is position-independent; otherwise its address is fixed.
# glibc's archives make the linker warn of NSS, which has no part in copying.
musl_start = $(if $(static_cc),$(wildcard /usr/lib/$(subst gnu,musl,$(target))/rcrt1.o))
static_pie = pie_cflags='-fPIE -ffunction-sections' pie_ldflags='-static -nostartfiles \
	$(musl_start) -Wl,--gc-sections,-pie,--no-dynamic-linker,-z,text'
static_settings = pie_cflags='-fno-pie -ffunction-sections' \
	pie_ldflags='$(static_ldflags)$(no_warnings)'
no_warnings = $(shell echo 'int main(void) { return 0; }' | \
	$(CC) -Wl,--no-warnings -x c -o /dev/null - 2>/dev/null && echo ' -Wl,--no-warnings')
static:
	$(if $(static_cc)$(filter-out default,$(origin CC)),,@echo 'musl-gcc is not installed:' \
		'linking glibc, for a larger and slower program; Debian has it in musl-tools')
	@$(MAKE) $(if $(V),,-s) --no-print-directory all BUILD=$(BUILD)/static PROGRAM=$(BUILD)/static/viatty \
		$(if $(musl_start),$(static_pie),$(static_settings)) $(if $(static_cc),CC=musl-gcc)

# build/cross/PROCESSOR/viatty: the same for a processor in .packaging/processors, with
# Debian's cross compiler and libraries. GOALS='all replay' builds both.
GOALS = all
cross-%: compiler = $(shell sed -n 's/^$* .* \([^ ]*-gcc\) .*/\1/p' .packaging/processors)
cross-%: libraries = $(shell .packaging/libraries $*)
cross-%:
	$(if $(libraries),,$(error no libraries for $*))
	@$(MAKE) --no-print-directory $(GOALS) BUILD=build/cross/$* PROGRAM=build/cross/$*/viatty \
		$(static_settings) CC=$(compiler) \
		CPPFLAGS='$(CPPFLAGS) -isystem $(libraries)/usr/include' \
		archive='$(wildcard $(libraries)/usr/lib/*/)lib$$(1).a'

# build/portable/TARGET/viatty for macOS and FreeBSD, or only for TARGET. A target is skipped
# if its parts cannot be fetched.
.PHONY: portable
portable:
	@MAKE='$(MAKE)' .ci/portable $(TARGET)
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

# the tables of the manual, from those in src/terminal
generated: $(BUILD)/generator
	for page in man/viatty-terminals.7 man/viatty-multiplexers.7; do \
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

unit: $(BUILD)/unit

# what deps-check, deps-lint install
python = $(if $(shell command -v python3),,$(error \
	python3 is not installed: run make deps-$(or $(deps),check)))

# KEPT in tests/lib/surroundings.py must list the variables set here
testing = $(python)VIATTY='$(abspath $(PROGRAM))' VIATTY_GENERATOR='$(abspath $(BUILD)/generator)' \
	VIATTY_UNIT='$(abspath $(BUILD)/unit)' VIATTY_REPLAY='$(abspath $(BUILD)/replay)' \
	VIATTY_INJECT='$(abspath $(BUILD)/inject)' \
	FULL=$(FULL) \
	tests/check

# The static program is also tested, since it may use musl; not in the builds of sanitizers
# and other tools, nor if a library has no archive.
static_too = $(if $(filter build,$(BUILD)),$(if $(filter-out -l%,$(call archive,termkey)),static))

# SUITE=trixie or sid: in a root directory with that Debian suite, which `make world` creates
# if needed. check-all ONLY='unit golden' runs only these suites, whole.
ifdef SUITE
check check-all: export WERROR := $(WERROR)
check check-all:
	@tests/world/check $(SUITE) $@ $(ONLY)
else
check: all unit $(BUILD)/generator
	$(if $(ONLY),$(error ONLY= is for check-all))$(testing)

check-all: all unit $(BUILD)/generator replay $(BUILD)/inject $(static_too)
	$(if $(static_too),VIATTY_STATIC='$(abspath $(BUILD)/static/viatty)') $(testing) \
		$(or $(ONLY),all)
endif

test: check

world:
	@tests/world/make $(SUITE)

check-unit: unit
	$(testing) unit

check-golden check-pty check-terminals check-noninterference: all
	$(testing) $(@:check-%=%)

# the golden tables, with the static program
check-static: static
	VIATTY_STATIC='$(abspath $(BUILD)/static/viatty)' $(testing) static

check-real: all
	$(testing) real terminals

check-docs: all $(BUILD)/generator
	$(testing) docs

# FULL=1: more garbage, and longer runs
check-faults: all $(BUILD)/inject
	$(testing) faults

# the package and the static program, installed and run in empty roots
check-packages: static
	VIATTY_STATIC='$(abspath $(BUILD)/static/viatty)' $(testing) packages

# builds in copies of the sources, so it has no prerequisites
check-builds:
	$(testing) builds

# the tests that need neither root nor a terminal, the network, Criterion or xdist; those for
# a missing program are skipped, even in CI
check-packager: all replay $(BUILD)/generator
	env -u CI $(testing) replay golden docs

# all of .packaging/processors, or ONLY='i686 s390x'; `.ci/deps processors` installs the
# requirements
check-processors:
	@WERROR=$(WERROR) tests/processors/check $(ONLY)

check-replay: replay
	$(testing) replay

# With both sanitizers. A leak does not fail a Criterion test, so check the report files.
asan:
	@rm -f build/asan/report.*
	@ASAN_OPTIONS=log_path='$(abspath build/asan/report)' \
	VIATTY_LOGS='$(abspath build/asan)' $(MAKE) --no-print-directory check-all BUILD=build/asan PROGRAM=build/asan/viatty \
		CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'

# Includes the tests that cannot run under ASan, those of running out of memory.
ubsan:
	@$(MAKE) --no-print-directory check-all BUILD=build/ubsan PROGRAM=build/ubsan/viatty \
		CFLAGS='-O1 -g -fsanitize=undefined -fno-sanitize-recover=all'

# without optimization, so that every line is counted separately; the report is also printed
# if tests fail
coverage:
	@rm -rf build/coverage
	@$(MAKE) --no-print-directory build/coverage/tests/coverage/dump.o \
		BUILD=build/coverage CFLAGS=-g
	@status=0; $(MAKE) --no-print-directory check-all BUILD=build/coverage \
		PROGRAM=build/coverage/viatty CFLAGS='-g --coverage' \
		LDFLAGS=-Wl,--wrap=raise LDLIBS=build/coverage/tests/coverage/dump.o || \
		status=1; \
	tests/coverage/report build/coverage; exit $$status

valgrind: all unit
	tests/valgrind $(PROGRAM)

lint: deps = lint
lint:
	$(python)tests/lint/run $(CC)

# lines of code; lint compares them with tests/lint/ceilings, where that exists
weight:
	@tests/lint/weight

fuzz_targets = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz_objects = $(objects:$(BUILD)/%=$(BUILD)/fuzzed/%)
fuzz_compile = clang -std=c11 $(our_cppflags) -O1 -g -fsanitize=address,undefined \
	-fno-sanitize-recover=all

fuzz: $(TARGETS:%=$(BUILD)/fuzz/%)
	@T=$(T) SEED=$(SEED) RUNS=$(RUNS) tests/fuzz/run $^

$(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c $(fuzz_objects)
	@mkdir -p $(@D)
	$(call show,FUZZ)$(fuzz_compile) -D_GNU_SOURCE -fsanitize=fuzzer -o $@ $^ $(our_ldlibs)

$(BUILD)/fuzzed/%.o: src/%.c
	@mkdir -p $(@D)
	$(call show,CC)$(fuzz_compile) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(BUILD)/fuzzed/snippets.o: $(BUILD)/snippets.c
	@mkdir -p $(@D)
	$(call show,CC)$(fuzz_compile) -fsanitize=fuzzer-no-link -c -o $@ $<

# the fuzz targets without clang, to run the corpora
.PHONY: replay
replay: $(fuzz_targets:%=$(BUILD)/replay/%)

$(BUILD)/replay/%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(objects) $(additions)
	@mkdir -p $(@D)
	$(link) $(replay_ldflags) -o $@ $^ $(our_ldlibs) $(LDLIBS)

# the demonstration in README: kitty on a separate X server, ssh and tmux
picture: all
	tests/picture/draw

# A minute or two. bench-check checks the limits of counted quantities, which do not depend on
# the load of the machine. ONLY='start peers replies speed growth' selects the timed ones.
# What README's command installs, and then how fast a package, which is linked to shared
# libraries, starts.
bench: program
	tests/bench/run $(installed) $(ONLY)
	@$(MAKE) -s BUILD=$(BUILD)/shared PROGRAM=$(BUILD)/shared/viatty SHARED=1 all
	tests/bench/run $(BUILD)/shared/viatty start

bench-check: static
	tests/bench/run --check $(BUILD)/static/viatty $(or $(ONLY),instructions calls memory)
