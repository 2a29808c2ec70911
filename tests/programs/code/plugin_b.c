/* A library for loads: all its time is spent in the one loop. */
unsigned long work(unsigned long sum);

unsigned long work(unsigned long sum)
{
    for (unsigned long i = 0; i < 200000; i++)
        sum = (sum ^ i) * 2654435761u + (sum >> 7); /* the work of b */
    return sum;
}
