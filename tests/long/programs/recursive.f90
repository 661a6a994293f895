! SPDX-License-Identifier: Apache-2.0
! Recursion of one procedure, of two, and of three.
module solver
  implicit none
  integer, parameter :: n = 20000
contains
  recursive subroutine quicksort(a, first, last)
    real, intent(inout) :: a(:)
    integer, intent(in) :: first, last
    integer :: middle
    if (first >= last) return
    middle = partition(a, first, last)
    call quicksort(a, first, middle - 1)
    call quicksort(a, middle + 1, last)
  end subroutine quicksort

  integer function partition(a, first, last)
    real, intent(inout) :: a(:)
    integer, intent(in) :: first, last
    integer :: i
    real :: pivot
    pivot = a(last)
    partition = first
    do i = first, last - 1
      if (a(i) < pivot) then
        call exchange(a(i), a(partition))
        partition = partition + 1
      end if
    end do
    call exchange(a(partition), a(last))
  end function partition

  subroutine exchange(x, y)
    real, intent(inout) :: x, y
    real :: t
    t = x
    x = y
    y = t
  end subroutine exchange

  recursive integer function is_even(k) result(yes)
    integer, intent(in) :: k
    if (k == 0) then
      yes = 1
    else
      yes = is_odd(k - 1)
    end if
  end function is_even

  recursive integer function is_odd(k) result(yes)
    integer, intent(in) :: k
    if (k == 0) then
      yes = 0
    else
      yes = is_even(k - 1)
    end if
  end function is_odd

  recursive real function expression(depth) result(value)
    integer, intent(in) :: depth
    value = term(depth)
    if (mod(depth, 2) == 0) value = value + term(depth - 1)
  end function expression

  recursive real function term(depth) result(value)
    integer, intent(in) :: depth
    value = factor(depth) * 1.5
  end function term

  recursive real function factor(depth) result(value)
    integer, intent(in) :: depth
    if (depth <= 0) then
      value = weight(depth)
    else
      value = expression(depth - 1) / 2
    end if
  end function factor

  real function weight(depth)
    integer, intent(in) :: depth
    integer :: i
    weight = 1.0
    do i = 1, 60
      weight = weight + sin(real(i + depth))
    end do
  end function weight
end module solver

program recursive
  use solver
  implicit none
  real :: a(n), sum
  integer :: round, rounds, even
  character(len=20) :: word
  rounds = 10
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) rounds
  end if
  sum = 0
  even = 0
  do round = 1, rounds
    call random_number(a)
    call quicksort(a, 1, n)
    sum = sum + a(n / 2) + expression(22)
    even = even + is_even(2000 + mod(round, 2))
  end do
  print *, sum, even
end program recursive
