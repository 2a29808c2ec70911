! Each step has two threads sweep, and waits for both. The planted answer: only the long sweep is worth anything.
!
!     gfortran -g -O2 -fopenmp coz.f90 steps.f90 -o steps
!     coz run --- ./steps 30
program steps
  use coz
  implicit none
  type(coz_site), save :: done, arrives, leaves
  character(32) :: word
  integer(8) :: now, rate, begin
  integer :: count, seconds
  real(8) :: long_sum, short_sum

  seconds = 10
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) seconds
  end if
  call system_clock(begin, rate)
  count = 0
  do
    call coz_begin(arrives, "a step")
    !$omp parallel sections num_threads(2)
    !$omp section
    call sweep(2000000, long_sum)
    !$omp section
    call sweep(1000000, short_sum)
    !$omp end parallel sections
    call coz_end(leaves, "a step")
    call coz_progress(done, "step")
    count = count + 1
    call system_clock(now)
    if (now - begin >= seconds * rate) exit
  end do
  print '(i0, a)', count, " steps"
  if (long_sum < short_sum) stop 1

contains

  subroutine sweep(turns, sum)
    integer, intent(in) :: turns
    real(8), intent(out) :: sum
    integer :: i
    sum = 0
    do i = 1, turns
      sum = sum + sqrt(real(i, 8)) ! the sweep
    end do
  end subroutine sweep
end program steps
