! SPDX-License-Identifier: Apache-2.0
! External procedures, and one passed as an argument.
real(8) function integrate(f, a, b, n)
  implicit none
  real(8), external :: f
  real(8), intent(in) :: a, b
  integer, intent(in) :: n
  integer :: i
  integrate = 0
  do i = 1, n
    integrate = integrate + f(a + (b - a) * i / n) * (b - a) / n
  end do
end function integrate

real(8) function bell(x)
  implicit none
  real(8), intent(in) :: x
  integer :: i
  bell = 1
  do i = 1, 20
    bell = bell * (1 - x * x / (i + 20))
  end do
end function bell

real(8) function line(x)
  implicit none
  real(8), intent(in) :: x
  line = 2 * x + 1
end function line

program arrays
  implicit none
  real(8), external :: integrate, bell, line
  real(8) :: total
  integer :: round, rounds
  character(len=20) :: word
  rounds = 1
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) rounds
  end if
  total = 0
  do round = 1, rounds
    total = total + integrate(bell, 0d0, 1d0, 1000) + integrate(line, 0d0, 1d0, 500)
  end do
  print *, total
end program arrays
