! SPDX-License-Identifier: Apache-2.0
! Loops, conditions and a recursive function of Fortran.
program sieve
  implicit none
  logical :: is_prime(200)
  integer :: i, k, found

  is_prime = .true.
  found = 0
  do i = 2, 200
    if (.not. is_prime(i)) cycle
    found = found + 1
    do k = i * i, 200, i ! counts: gcc 232: the test of each round
      is_prime(k) = .false. ! counts: gcc 232: rounds, without the entry
    end do
  end do
  print *, found, sum_up(10)

contains

  recursive function sum_up(number) result(total)
    integer, intent(in) :: number
    integer :: total

    if (number == 0) then
      total = 0
    else
      total = number + sum_up(number - 1)
    end if
  end function sum_up

end program sieve
