! Tells the causal profiler coz where a Fortran program makes progress. Compile it with your program.
!
!     use coz
!     type(coz_site), save :: done, arrives, leaves      ! one for each place
!     ...
!     call coz_progress(done, "step")                    ! throughput: one visit for each unit of work done
!     call coz_begin(arrives, "request")                 ! latency: where a unit arrives,
!     call coz_end(leaves, "request")                    ! and where it leaves
!
! A place looks the profiler up when it is first passed and keeps the answer, so a place has one name. Where there is no
! profiler it costs a test from then on. Threads (OpenMP) may pass a place together. What coz.h says holds here too.
module coz
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: coz_site, coz_progress, coz_begin, coz_end

  integer, parameter :: NEW = 0, OFF = 1, ON = 2

  type :: coz_site
    private
    integer :: state = NEW
    type(c_ptr) :: counter = c_null_ptr
    type(c_funptr) :: visit = c_null_funptr
  end type coz_site

  interface
    type(c_funptr) function c_dlsym(handle, symbol) bind(C, name="dlsym")
      import :: c_funptr, c_ptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: symbol(*)
    end function c_dlsym
  end interface

  abstract interface
    type(c_ptr) function get_counter(kind, name) bind(C)
      import :: c_ptr, c_char, c_int
      integer(c_int), value :: kind
      character(kind=c_char), intent(in) :: name(*)
    end function get_counter

    subroutine visit_counter(counter) bind(C)
      import :: c_ptr
      type(c_ptr), value :: counter
    end subroutine visit_counter
  end interface

contains

  ! A unit of work is done.
  subroutine coz_progress(site, name)
    type(coz_site), intent(inout) :: site
    character(*), intent(in) :: name
    if (site%state /= OFF) call pass(site, 1_c_int, name)
  end subroutine coz_progress

  ! A unit of work arrives.
  subroutine coz_begin(site, name)
    type(coz_site), intent(inout) :: site
    character(*), intent(in) :: name
    if (site%state /= OFF) call pass(site, 2_c_int, name)
  end subroutine coz_begin

  ! A unit of work leaves.
  subroutine coz_end(site, name)
    type(coz_site), intent(inout) :: site
    character(*), intent(in) :: name
    if (site%state /= OFF) call pass(site, 3_c_int, name)
  end subroutine coz_end

  subroutine pass(site, kind, name)
    type(coz_site), intent(inout) :: site
    integer(c_int), intent(in) :: kind
    character(*), intent(in) :: name
    procedure(visit_counter), pointer :: visit
    if (site%state == NEW) call look_up(site, kind, name)
    if (site%state == OFF) return
    call c_f_procpointer(site%visit, visit)
    call visit(site%counter)
  end subroutine pass

  ! Threads that come here together find the same. The state, which says that the rest is there, is set last.
  subroutine look_up(site, kind, name)
    type(coz_site), intent(inout) :: site
    integer(c_int), intent(in) :: kind
    character(*), intent(in) :: name
    procedure(get_counter), pointer :: get
    type(c_funptr) :: found
    type(c_ptr) :: counter
    integer :: state
    state = OFF
    found = c_dlsym(c_null_ptr, "_coz_get_counter" // c_null_char)
    if (c_associated(found)) then
      call c_f_procpointer(found, get)
      counter = get(kind, trim(name) // c_null_char)
      found = c_dlsym(c_null_ptr, "_coz_visit" // c_null_char)
      if (c_associated(counter) .and. c_associated(found)) then
        site%counter = counter
        site%visit = found
        state = ON
      end if
    end if
    !$omp flush
    site%state = state
  end subroutine look_up
end module coz
