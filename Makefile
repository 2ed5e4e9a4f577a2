# The commands people type; CMake does the work.
PREFIX ?= /usr/local
.PHONY: all demo test install clean

all: build/release/talus

build/release/talus: FORCE
	@scripts/setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target talus_command
FORCE:

# run the best scene there is and show what came out
demo: all
	@scripts/demo

# all that CI runs
test:
	@scripts/check

install: all
	@cmake --build --preset release --target talus_shared
	@cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build out
