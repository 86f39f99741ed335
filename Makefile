# SPDX-License-Identifier: MIT
# viatty. CC, CFLAGS, CPPFLAGS, LDFLAGS, LDLIBS, PREFIX and DESTDIR are yours;
# WERROR=1 makes warnings errors, as CI does.

# To another make the next line is a rule, and the one after it says what to do.
define gnu_make_is_required:
.error viatty is built with GNU make: run gmake
endef

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
# where man(1) of NetBSD and OpenBSD looks
MANDIR = $(PREFIX)$(if $(filter NetBSD OpenBSD,$(system)),,/share)/man
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d

CFLAGS = -O2 -g
# Where objects go, a folder without blanks in its name; the sources may be read-only
# then. Other kinds of build have a folder and a program of their own.
BUILD = build
PROGRAM = $(if $(filter build,$(BUILD)),viatty,$(BUILD)/viatty)
# fuzzing: which targets (all), for how many seconds each; or with RUNS so many
# executions, which is the same each time when SEED is given too
T = 60
TARGETS = $(fuzz_targets)

# what strict C11 hides of POSIX and of the rest that all systems have: glibc and
# musl by the first name, NetBSD by the second
system_cppflags = -D_DEFAULT_SOURCE -D_NETBSD_SOURCE $(wide_cppflags)
# large files and late times where a long has 32 bits
wide_cppflags = -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
# where packages are, and the compiler does not look: Homebrew, ports and pkgsrc
system := $(shell uname)
prefixes := $(if $(filter Linux,$(system)),,$(wildcard /opt/homebrew /usr/local /usr/pkg))
our_cppflags = -Isrc $(prefixes:%=-isystem %/include) $(system_cppflags) $(fortify)
# Not where the user defines it, and once where the compiler does unasked. Without
# optimization the headers warn of it.
fortify = $(if $(findstring _FORTIFY_SOURCE,$(CC) $(CPPFLAGS) $(CFLAGS)),,$(if \
	$(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS)))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
our_cflags = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wpointer-arith -Wformat=2 -Wvla \
	-Wundef -fno-common -fstack-protector-strong $(pie_cflags) \
	$(same_anywhere) $(if $(WERROR),-Werror)
# What is built does not name the folder in which it was; counters of coverage have to.
same_anywhere = $(if $(findstring --coverage,$(CFLAGS)),,-ffile-prefix-map='$(CURDIR)=.' \
	-ffile-prefix-map=$(BUILD)=build)
pie_cflags = -fPIE
target := $(shell $(CC) -dumpmachine 2>/dev/null)
# Apple's linker has neither option, and makes nothing else
for_macos = $(findstring macos,$(subst darwin,macos,$(target)))
pie_ldflags = $(if $(for_macos),,-pie -Wl,-z,relro,-z,now)
dependencies = -MMD -MP
static_ldflags = -static -Wl,--gc-sections
finder = $(CC)
# tcc knows less; it does not say either what it builds for
ifeq ($(target),)
fortify =
# glibc's regex.h has an array of a length that is another parameter
our_cppflags += -D__STDC_NO_VLA__
pie_ldflags =
dependencies = -MD
static_ldflags = -static
endif
# musl's compiler looks for headers and libraries in its own folders only: ours are
# named to it, and the functions that archives built for glibc call are added.
ifneq ($(filter %musl-gcc,$(CC)),)
our_cppflags += -idirafter /usr/include
additions = $(BUILD)/static/fortify.o
finder = gcc
endif
# Linked in where the system has the archives: three files fewer to look for,
# map and relocate at every start. SHARED=1 links the shared libraries instead, as
# distributions require.
archive = $(or $(filter /%,$(shell $(finder) -print-file-name=lib$(1).a 2>/dev/null)),-l$(1))
libb64 = $(call archive,b64)
static_ldlibs = $(libb64) $(call archive,termkey) $(call archive,unibilium)
our_ldlibs = $(if $(SHARED),-lb64 -ltermkey,$(static_ldlibs))
b64_ldlibs = $(if $(SHARED),-lb64,$(libb64))

# V=1 shows the commands themselves
show = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
compile = $(call show,CC)$(CC) $(our_cppflags) $(CPPFLAGS) $(our_cflags) $(CFLAGS) $(dependencies)
link = $(call show,LINK)$(CC) $(CFLAGS) $(pie_ldflags) \
	$(foreach prefix,$(prefixes),-L$(prefix)/lib -Wl,-rpath,$(prefix)/lib) $(LDFLAGS)

# the generator is a program of its own that shares the rest
generator = $(wildcard src/generate/*.c)
mains = src/main.c $(generator)
sources = $(filter-out $(mains) src/static/% src/check/%,$(wildcard src/*/*.c))
snippets = $(wildcard src/setup/*)
objects = $(patsubst src/%.c,$(BUILD)/%.o,$(sources)) $(BUILD)/snippets.o
# CRITERION=no: where it is not packaged, what tests/lib has in its place
criterion = $(if $(filter no,$(CRITERION)),$(BUILD)/tests/lib/criterion/criterion.o,-lcriterion)
unit_objects = $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/unit/*.c))
version = $(shell sed -n 's/.*VERSION "\(.*\)"/\1/p' src/cli/help.h)
pages = $(wildcard man/*.[1-8])

.PHONY: all install uninstall deps test-deps check check-unit check-golden check-static \
	check-pty check-real check-terminals check-docs check-replay check-faults \
	check-packages check-packager check-builds check-processors world check-noninterference unit static asan ubsan coverage mutants valgrind lint fuzz afl bench bench-check completions \
	generated format dist deb recipes release picture version clean

all: $(BUILD)/libb64.checked $(PROGRAM)

$(PROGRAM): $(BUILD)/main.o $(objects) $(additions) | $(BUILD)/libb64.checked
	$(link) -o $@ $^ $(our_ldlibs) $(LDLIBS)

# Nothing is built with a libb64 that encodes incorrectly. Cross compiled, only
# `make check` on the other system can tell.
$(BUILD)/libb64.checked: $(BUILD)/check/libb64
	@if ! .ci/native $(CC); then \
		echo '  libb64 is not checked: what $(CC) builds does not run here'; \
	elif ! '$(abspath $<)'; then \
		echo 'this libb64 cannot be used: $(libb64)' >&2; exit 1; \
	fi
	@touch $@

$(BUILD)/check/libb64: $(patsubst %,$(BUILD)/%.o,check/libb64 base/base64 base/buf) $(additions)
	$(link) -o $@ $^ $(b64_ldlibs) $(LDLIBS)

$(BUILD)/generator: $(generator:src/%.c=$(BUILD)/%.o) $(objects) $(additions)
	$(link) -o $@ $^ $(our_ldlibs) $(LDLIBS)

$(BUILD)/unit: $(unit_objects) $(objects) $(filter %.o,$(criterion))
	$(link) -Wl,--wrap=realloc -o $@ $^ $(our_ldlibs) $(filter -l%,$(criterion)) $(LDLIBS)

$(BUILD)/inject $(BUILD)/many: $(BUILD)/%: $(BUILD)/tests/faults/%.o
	$(link) -o $@ $^

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<

# What setup prints: src/setup/NAME.* as snippet_NAME, a table of lines.
$(BUILD)/snippets.c: $(snippets) Makefile
	@mkdir -p $(@D)
	$(call show,GEN)for file in $(snippets); do \
		name=$${file##*/}; \
		echo "const char *const snippet_$${name%%.*}[] = {"; \
		sed 's/[\\"]/\\&/g; s/.*/"&",/' $$file; \
		echo '0 };'; \
	done >$@

$(BUILD)/snippets.o: $(BUILD)/snippets.c
	$(compile) -c -o $@ $<

# tests are for Linux alone
$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(compile) -D_GNU_SOURCE $(if $(filter no,$(CRITERION)),-Itests/lib) -c -o $@ $<

# objects are worth keeping
.SECONDARY:

-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)

# ---- using it ----------------------------------------------------------------

deps:
	sh .ci/deps build

# Names of folders may hold blanks: each is quoted.
install: all
	install -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(MANDIR)/man7' \
		'$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)' '$(DESTDIR)$(FISHDIR)'
	install -m 755 $(PROGRAM) '$(DESTDIR)$(BINDIR)/viatty'
	ln -sf viatty '$(DESTDIR)$(BINDIR)/osc52'
	install -m 644 $(filter %.1,$(pages)) '$(DESTDIR)$(MANDIR)/man1'
	ln -sf viatty-copy.1 '$(DESTDIR)$(MANDIR)/man1/osc52.1'
	install -m 644 $(filter %.7,$(pages)) '$(DESTDIR)$(MANDIR)/man7'
	install -m 644 completions/viatty.bash '$(DESTDIR)$(BASHDIR)/viatty'
	ln -sf viatty '$(DESTDIR)$(BASHDIR)/osc52'
	install -m 644 completions/_viatty '$(DESTDIR)$(ZSHDIR)'
	install -m 644 completions/viatty.fish '$(DESTDIR)$(FISHDIR)'
	ln -sf viatty.fish '$(DESTDIR)$(FISHDIR)/osc52.fish'

uninstall:
	rm -f '$(DESTDIR)$(BINDIR)/viatty' '$(DESTDIR)$(BINDIR)/osc52'
	for page in $(notdir $(pages)) osc52.1; do \
		rm -f '$(DESTDIR)$(MANDIR)'/man"$${page##*.}/$$page"; \
	done
	rm -f '$(DESTDIR)$(BASHDIR)/viatty' '$(DESTDIR)$(BASHDIR)/osc52' \
		'$(DESTDIR)$(ZSHDIR)/_viatty' \
		'$(DESTDIR)$(FISHDIR)/viatty.fish' '$(DESTDIR)$(FISHDIR)/osc52.fish'

# One file that needs nothing of the system it runs on. Its fixed address saves
# the relocations at every start, and musl, where it is there and CC does not name
# another, starts without the questions to the processor that glibc asks (each one
# traps on a virtual machine).
static_cc = $(if $(filter default,$(origin CC)),$(shell command -v musl-gcc))
static_settings = pie_cflags='-fno-pie -ffunction-sections' pie_ldflags='$(static_ldflags)'
static:
	@$(MAKE) --no-print-directory all BUILD=$(BUILD)/static PROGRAM=$(BUILD)/static/viatty \
		$(static_settings) $(if $(static_cc),CC=musl-gcc)

# build/cross/PROCESSOR/viatty: the same for a processor of .packaging/processors, by
# Debian's cross compiler and its libraries for that one. GOALS='all unit' builds both.
GOALS = all
# fuzz_cli.c has a clock of its own, beside that of the static C library
cross_replay = replay_ldflags=-Wl,-z,muldefs
cross-%: compiler = $(shell sed -n 's/^$* .* \([^ ]*-gcc\) .*/\1/p' .packaging/processors)
cross-%: libraries = $(shell .packaging/libraries $*)
cross-%:
	$(if $(libraries),,$(error no libraries for $*))
	@$(MAKE) --no-print-directory $(GOALS) BUILD=build/cross/$* PROGRAM=build/cross/$*/viatty \
		$(static_settings) $(cross_replay) CRITERION=no CC=$(compiler) \
		CPPFLAGS='$(CPPFLAGS) -isystem $(libraries)/usr/include' \
		archive='$(wildcard $(libraries)/usr/lib/*/)lib$$(1).a'

# build/portable/TARGET/viatty for macOS and the BSDs, or for TARGET alone. What cannot
# be fetched for it is skipped.
.PHONY: portable
portable:
	@MAKE='$(MAKE)' .ci/portable $(TARGET)
portable-%:
	@MAKE='$(MAKE)' .ci/portable $*

# build/deb/viatty_VERSION_ARCHITECTURE.deb; DEB_BUILD_OPTIONS= runs check-packager too
deb: export DEB_BUILD_OPTIONS ?= nocheck
deb: dist
	.packaging/deb viatty-$(version).tar.gz build/deb

# build/release: one archive for each row of .packaging/releases, or ONLY='linux-i686'
release:
	@.packaging/release $(version) build/release $(ONLY)

# build/recipes: for Arch Linux, Alpine, Fedora, Homebrew and Nix
recipes: dist
	.packaging/fill viatty-$(version).tar.gz build/recipes

version:
	@echo $(version)

# what is written by the generator from the tables
completions: generated
generated: $(BUILD)/generator
	$< bash <src/generate/viatty.bash.in >completions/viatty.bash
	$< zsh <src/generate/_viatty.in >completions/_viatty
	$< fish <src/generate/viatty.fish.in >completions/viatty.fish
	$< terminals <src/generate/viatty-terminals.7.in >man/viatty-terminals.7
	$< multiplexers <src/generate/viatty-multiplexers.7.in >man/viatty-multiplexers.7

dist:
	.packaging/dist $(version) viatty-$(version).tar.gz

clean:
	rm -rf build viatty viatty-*.tar.gz tests/__pycache__ tests/*/__pycache__

# ---- testing it --------------------------------------------------------------

test-deps: deps
	sh .ci/deps test
	sh .ci/deps modules

unit: $(BUILD)/unit

# what is told here has to be handed on by KEPT of tests/lib/surroundings.py
testing = VIATTY='$(abspath $(PROGRAM))' VIATTY_GENERATOR='$(abspath $(BUILD)/generator)' \
	VIATTY_UNIT='$(abspath $(BUILD)/unit)' VIATTY_REPLAY='$(abspath $(BUILD)/replay)' \
	VIATTY_INJECT='$(abspath $(BUILD)/inject)' VIATTY_MANY='$(abspath $(BUILD)/many)' \
	FULL=$(FULL) \
	tests/check

# The static program is another program where it has musl for its library. It is
# left out of builds for a tool, and where a library has no archive.
static_too = $(if $(filter build,$(BUILD)),$(if $(filter-out -l%,$(call archive,termkey)),static))

# ONLY='unit golden' runs these alone; SUITE=trixie or sid runs them in a root
# directory of that Debian suite, which `make world` makes when it is not there
ifdef SUITE
check: export WERROR := $(WERROR)
check:
	@tests/world/check $(SUITE) $(ONLY)
else
check: all unit $(BUILD)/generator replay $(BUILD)/inject $(BUILD)/many $(static_too)
	$(if $(static_too),VIATTY_STATIC='$(abspath $(BUILD)/static/viatty)') $(testing) $(ONLY)
endif

world:
	@tests/world/make $(SUITE)

check-unit: unit
	$(testing) unit

check-golden check-pty check-terminals check-noninterference: all
	$(testing) $(@:check-%=%)

# the golden tables, by the program that `make static` builds
check-static: static
	VIATTY_STATIC='$(abspath $(BUILD)/static/viatty)' $(testing) static

check-real: all
	$(testing) real terminals

check-docs: all $(BUILD)/generator
	$(testing) docs

# with as little of Linux as other systems have: select() for poll(), fork() for a session
check-plain:
	@$(MAKE) --no-print-directory check BUILD=build/plain PROGRAM=build/plain/viatty \
		CPPFLAGS='$(CPPFLAGS) -DCOMPAT_PLAIN' ONLY='$(or $(ONLY),unit)'
.PHONY: check-plain

# FULL=1: every fault that is listed, not only the most likely ones
check-faults: all $(BUILD)/inject $(BUILD)/many
	$(testing) faults

# what `make deb` and `make static` give, installed and run in empty roots
check-packages: static
	VIATTY_STATIC='$(abspath $(BUILD)/static/viatty)' $(testing) packages

# in copies of the sources, so nothing has to be built
check-builds:
	$(testing) builds

# what needs neither root nor terminal, network or xdist; a program that is missing
# is skipped, also in CI
check-packager: all unit replay $(BUILD)/generator
	env -u CI $(testing) unit replay golden docs

# all of .packaging/processors, or ONLY='i686 s390x'; `.ci/deps processors` installs what
# it takes
check-processors:
	@WERROR=$(WERROR) tests/processors/check $(ONLY)

check-replay: replay
	$(testing) replay

# With both sanitizers. Leaks do not fail a Criterion test: the report files tell of them.
asan:
	@rm -f build/asan/report.*
	@ASAN_OPTIONS=log_path='$(abspath build/asan/report)' \
	VIATTY_LOGS='$(abspath build/asan)' $(MAKE) --no-print-directory check BUILD=build/asan PROGRAM=build/asan/viatty \
		CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'

# Also what does not run under the other: where memory ends.
ubsan:
	@$(MAKE) --no-print-directory check BUILD=build/ubsan PROGRAM=build/ubsan/viatty \
		CFLAGS='-O1 -g -fsanitize=undefined -fno-sanitize-recover=all'

# -O0 by leaving it out: every line is its own. What was run is told of failed
# tests as well
coverage:
	@rm -rf build/coverage
	@$(MAKE) --no-print-directory build/coverage/tests/coverage/dump.o \
		BUILD=build/coverage CFLAGS=-g
	@status=0; $(MAKE) --no-print-directory check BUILD=build/coverage \
		PROGRAM=build/coverage/viatty CFLAGS='-g --coverage' \
		LDFLAGS=-Wl,--wrap=raise LDLIBS=build/coverage/tests/coverage/dump.o || \
		status=1; \
	tests/coverage/report build/coverage && exit $$status

valgrind: all unit
	tests/valgrind $(PROGRAM)

lint:
	tests/lint/run $(CC)

fuzz_targets = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz_cc = clang
fuzz_objects = $(objects:$(BUILD)/%=$(BUILD)/fuzzed/%)
fuzz_compile = $(fuzz_cc) -std=c11 $(our_cppflags) -O1 -g -fsanitize=address,undefined \
	-fno-sanitize-recover=all

fuzz: $(TARGETS:%=$(BUILD)/fuzz/%)
	@T=$(T) SEED=$(SEED) RUNS=$(RUNS) tests/fuzz/run $^

# the same targets; `make afl` says which package is missing
afl:
	@tests/fuzz/afl check
	@$(MAKE) --no-print-directory $(TARGETS:%=build/afl/fuzz/%) BUILD=build/afl \
		fuzz_cc=afl-clang-fast
	@T=$(T) SEED=$(SEED) tests/fuzz/afl $(TARGETS:%=build/afl/fuzz/%)

$(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c $(fuzz_objects)
	@mkdir -p $(@D)
	$(call show,FUZZ)$(fuzz_compile) -D_GNU_SOURCE -fsanitize=fuzzer -o $@ $^ $(our_ldlibs)

$(BUILD)/fuzzed/%.o: src/%.c
	@mkdir -p $(@D)
	$(call show,CC)$(fuzz_compile) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(BUILD)/fuzzed/snippets.o: $(BUILD)/snippets.c
	@mkdir -p $(@D)
	$(call show,CC)$(fuzz_compile) -fsanitize=fuzzer-no-link -c -o $@ $<

# the targets without clang, to run what fuzzing has found
.PHONY: replay
replay: $(fuzz_targets:%=$(BUILD)/replay/%)

$(BUILD)/replay/%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(objects) $(additions)
	@mkdir -p $(@D)
	$(link) $(replay_ldflags) -o $@ $^ $(our_ldlibs) $(LDLIBS)

# of the README: a person at an xterm and at kitty, on an X server of their own
picture: all
	tests/picture/draw

# One wrong comparison or constant at a time in what decides and wraps: do the
# suites notice? An hour or two; ONLY='text' takes those whose line has it.
mutated = src/route/plan.c src/route/policy.c src/encoder/wrap.c src/tty/reply.c
mutants: all unit
	tests/mutants/run $(if $(ONLY),--only '$(ONLY)') $(mutated)

# A minute or two. bench-check fails when a bound of tests/bench/bounds.py is
# missed; on a busy machine ONLY='instructions calls faults' can be told.
bench bench-check: static all
	tests/bench/run $(if $(filter bench-check,$@),--check) \
		$(BUILD)/static/viatty $(PROGRAM) $(if $(ONLY),--only $(ONLY))

format:
	clang-format -i src/*.c src/*/*.[ch] tests/*/*.c
