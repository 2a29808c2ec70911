# The generated program: make -f units.mk UNITS="0 1 2", where units/ is.
CXXFLAGS = -O2 -g
OBJECTS = $(foreach number,$(UNITS),objects/unit$(number).o) objects/main.o

program: $(OBJECTS) stamp.o
	$(CXX) $(CXXFLAGS) $^ -o $@

objects/%.o: units/%.cpp
	@mkdir -p objects
	$(CXX) $(CXXFLAGS) -c $< -o $@
