! SPDX-License-Identifier: Apache-2.0
! 2000 calls of a function, and a subroutine that calls itself 10 times each.
module formula
  implicit none
  integer :: total = 0
contains
  integer function twice(n)
    integer, intent(in) :: n
    total = total + 1
    twice = 2 * n
  end function twice

  recursive subroutine descend(depth)
    integer, intent(in) :: depth
    total = total + 1
    if (depth > 1) call descend(depth - 1)
    total = total + 1
  end subroutine descend
end module formula

program main
  use formula
  implicit none
  integer :: i, sum
  sum = 0
  do i = 1, 2000
    sum = sum + twice(i)
  end do
  do i = 1, 50
    call descend(10)
  end do
  print *, sum, total
end program main
