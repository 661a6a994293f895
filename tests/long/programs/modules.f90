! SPDX-License-Identifier: Apache-2.0
! Module procedures and procedures inside procedures.
module grids
  implicit none
contains
  subroutine relax(grid, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: grid(n, n)
    integer :: i
    do i = 2, n - 1
      call row(i)
    end do
  contains
    subroutine row(i)
      integer, intent(in) :: i
      integer :: j
      do j = 2, n - 1
        grid(j, i) = 0.25d0 * (grid(j-1, i) + grid(j+1, i) + grid(j, i-1) + grid(j, i+1))
      end do
    end subroutine row
  end subroutine relax

  recursive function depth(n) result(d)
    integer, intent(in) :: n
    integer :: d
    if (n <= 1) then
      d = 1
    else
      d = depth(n / 2) + depth(n - n / 2)
    end if
  end function depth
end module grids

program modules
  use grids
  implicit none
  real(8) :: grid(60, 60)
  integer :: round, rounds, total
  character(len=20) :: word
  rounds = 1
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) rounds
  end if
  grid = 1
  total = 0
  do round = 1, rounds * 5
    call relax(grid, 60)
    total = total + depth(100)
  end do
  print *, sum(grid), total
end program modules
