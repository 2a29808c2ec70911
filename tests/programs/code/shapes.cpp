/* Functions in namespaces and templates. Each round a line is called from two others, from one of them for
 * three times as much; and a function calls itself.
 *
 *     shapes [--ms N | --until FILE] [--rounds N]
 *
 * Runs for so long, and at least so many rounds. */
#include "../target.h"

#include <coz.h>

namespace shapes
{

template <class T> struct Stack {
    T sum;
    __attribute__((noinline)) void push(int steps)
    {
        for (int i = 0; i < steps; sum = MIX(sum, T(2246822519u)), i++) /* pushed line */
            continue;
    }
};

namespace
{

__attribute__((noinline)) void few(Stack<unsigned> &stack)
{
    stack.push(50000); /* few line */
    stack.sum++;
}

__attribute__((noinline)) void many(Stack<unsigned> &stack)
{
    stack.push(150000); /* many line */
    stack.sum++;
}

__attribute__((noinline)) unsigned again(unsigned depth, Stack<unsigned long> &stack)
{
    stack.push(10000);
    return depth ? again(depth - 1, stack) + depth : 0;
}

} // namespace

} // namespace shapes

static volatile unsigned long result;

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    double least = number_option(argc, argv, "--rounds", 1), rounds = 0;
    shapes::Stack<unsigned> stack = {1};
    shapes::Stack<unsigned long> deep = {1};
    do {
        shapes::few(stack);
        shapes::many(stack);
        result = stack.sum + deep.sum + shapes::again(5, deep);
        COZ_PROGRESS_NAMED("round");
    } while (++rounds < least || !is_over(span));
    puts("done");
    return 0;
}
