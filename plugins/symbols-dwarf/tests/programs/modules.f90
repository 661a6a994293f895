! SPDX-License-Identifier: Apache-2.0
! A module, a main program and a procedure inside it.
module doubling
contains
  subroutine double_all(numbers, count)
    integer :: count, i
    real :: numbers(count)
    do i = 1, count
      numbers(i) = numbers(i) * 2.0
    end do
  end subroutine
end module

program main
  use doubling
  real :: numbers(10)
  numbers = 1.0
  call double_all(numbers, 10)
  if (numbers(1) > 3.0) call tell()
contains
  subroutine tell()
    print *, 'more than 3'
  end subroutine
end program
