"""Which blocks control always came through: the tree of dominators, made while blocks are.

It can be made on the way since a block is begun after all that leads to it but the rounds of a loop that it
is the header of, and these come through it before. Each block keeps a second ancestor, further away, by which
the way up takes logarithmic time: Myers, "An Applicative Random-Access Stack" (1983).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Dominators"]


class Dominators:
    """The dominators of the blocks of one function.

    Attributes:
        above: for each block the one that control last came through whichever way it took; `NONE` for the
            entry, for dead code, and for where both meet.
        height: how many dominators it has.
        root: the block without a dominator that its dominators end at.
    """

    __slots__ = ("_far", "above", "height", "root")

    def __init__(self) -> None:
        self.above: list[int] = []
        self.height: list[int] = []
        self.root: list[int] = []
        self._far: list[int] = []

    def new_block(self) -> None:
        """Add a block of which nothing leads is known yet."""
        number = len(self.above)
        self.above.append(NONE)
        self.height.append(0)
        self.root.append(number)
        self._far.append(number)

    def begin(self, block: int, predecessors: Sequence[int]) -> None:
        """Find the dominator of a block that is begun.

        Args:
            block: the block.
            predecessors: what leads to it, without the rounds of its loop.
        """
        above = predecessors[0] if predecessors else NONE
        for one in predecessors:
            if above != one:
                above = self._common(above, one)
                if above < 0:
                    break
        if above < 0:
            return
        height, far = self.height, self._far
        self.above[block] = above
        self.root[block] = self.root[above]
        height[block] = height[above] + 1
        middle = far[above]
        is_even = height[above] - height[middle] == height[middle] - height[far[middle]]
        far[block] = far[middle] if is_even else above

    def dominates(self, above: int, block: int) -> bool:
        """Whether control came through a block before it came to another, or they are the same."""
        return self._up(block, self.height[above]) == above

    def _up(self, block: int, height: int) -> int:
        """Return the dominator of a block that has a height; itself if it is no higher."""
        heights, far, above = self.height, self._far, self.above
        while heights[block] > height:
            block = far[block] if heights[far[block]] >= height else above[block]
        return block

    def _common(self, one: int, other: int) -> int:
        """Return the last dominator that two blocks share, `NONE` if they share none."""
        if self.root[one] != self.root[other]:
            return NONE
        one, other = self._up(one, self.height[other]), self._up(other, self.height[one])
        far, above = self._far, self.above
        while one != other:
            if far[one] != far[other]:
                one, other = far[one], far[other]
            else:
                one, other = above[one], above[other]
        return one
