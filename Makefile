# The commands a person types. What they do is in scripts/ and CMakeLists.txt.
BUILD = build
PREFIX = /usr/local
MAKEFLAGS += --no-print-directory

all:
	scripts/setup --only-name demo
	scripts/build $(BUILD) -DCOZ_TESTS=OFF

# What was built already is installed as it is: root, who often types this, builds nothing then.
install:
	test -x $(BUILD)/bin/coz || $(MAKE) all
	DESTDIR='$(DESTDIR)' cmake --install $(BUILD) --prefix '$(PREFIX)'

demo:
	scripts/setup demo
	scripts/build $(BUILD) -DCOZ_TESTS=OFF
	scripts/demo $(BUILD)

check:
	scripts/setup check
	scripts/check $(BUILD)

bench:
	scripts/setup bench
	scripts/build $(BUILD) -DCOZ_TESTS=OFF
	scripts/bench $(BUILD)

fuzz:
	tests/fuzz/run

format:
	scripts/format

clean:
	rm -rf $(BUILD)

.PHONY: all install demo check bench fuzz format clean
