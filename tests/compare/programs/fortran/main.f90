! SPDX-License-Identifier: Apache-2.0
! A module, a recursive function, an internal procedure and a common external one.
module matrices
  implicit none
contains
  function product_of(a, b) result(c) ! @line
    real, intent(in) :: a(:, :), b(:, :)
    real :: c(size(a, 1), size(b, 2))
    integer :: i, j
    do j = 1, size(b, 2)
      do i = 1, size(a, 1)
        c(i, j) = dot(a(i, :), b(:, j))
      end do
    end do
  end function product_of

  real function dot(x, y)
    real, intent(in) :: x(:), y(:)
    integer :: i
    dot = 0
    do i = 1, size(x)
      dot = dot + x(i) * y(i)
    end do
  end function dot

  recursive integer function ackermann(m, n) result(value)
    integer, intent(in) :: m, n
    if (m == 0) then
      value = n + 1
    else if (n == 0) then
      value = ackermann(m - 1, 1)
    else
      value = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function ackermann
end module matrices

subroutine scale_down(a, factor)
  implicit none
  real, intent(inout) :: a(30, 30)
  real, intent(in) :: factor
  a = a / factor
end subroutine scale_down

program main
  use matrices
  implicit none
  real :: a(30, 30), b(30, 30), now
  integer :: total
  total = 0
  call fill(a, 1.0)
  call fill(b, 0.5)
  do
    a = product_of(a, b)
    call scale_down(a, 1000.0)
    total = total + ackermann(2, 6)
    call cpu_time(now)
    if (now > 0.125) exit
  end do
  if (total == 1) print *, total
contains
  subroutine fill(matrix, start)
    real, intent(out) :: matrix(30, 30)
    real, intent(in) :: start
    integer :: i
    do i = 1, 30
      matrix(:, i) = start + i * 0.01
    end do
  end subroutine fill
end program main
