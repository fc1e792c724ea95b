// SPDX-License-Identifier: MIT
// The force of a row as a power series in the displacement.
#include "bristle/model/expansion.hpp"

#include <gtest/gtest.h>

#include "bristle/model/drbm.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/sawtooth.hpp"
#include "close.hpp"

namespace bristle::expansion_test {
namespace {

double value(const Expansion& e, double displacement) {
  double sum = 0.0;
  for (int k = e.terms - 1; k >= 0; --k) sum = sum * displacement + e.coefficient[k];
  return sum;
}

// The largest difference from sliding() on the way to the end of the piece, or of the span.
template <class L>
double worst(const L& law, double position, double direction, double allowed) {
  const Branch<> branch{direction, law.cell(0.0, Motion<double>{position}, direction)};
  const Expansion e = law.expand(position, branch, allowed);
  const double way = std::min(direction * (e.end - position), e.span);
  EXPECT_GT(way, 0.0);
  double off = 0.0;
  for (int i = 0; i <= 10; ++i) {
    const double d = 0.1 * i * direction * way;
    const double exact = law.sliding(Motion<double>{position + d}, branch);
    off = std::max(off, std::abs(value(e, d) - exact));
  }
  return off;
}

TEST(Expansion, EqualsTheForceToWhatIsAllowedUpToTheEndOfThePiece) {
  test::Random random(7);
  for (int i = 0; i < 300; ++i) {
    Drbm<> law;
    law.spacing = random.log_uniform(1e-4, 5e-3);
    law.reach = random.uniform(1.1, 20.0) * law.spacing;
    law.offset = random.uniform(-1.0, 1.0);
    const double x = random.uniform(-1.0, 1.0), direction = random.sign();
    for (const double allowed : {1e-4, 1e-8, 1e-12})
      EXPECT_LE(worst(law, x, direction, allowed), allowed)
          << "spacing " << law.spacing << " reach " << law.reach << " at " << x;
    EXPECT_LE(worst(Sawtooth<>{}, x, direction, 1e-12), 1e-14);
  }
}
TEST(Expansion, OfALongDenseRowIsSummedAtOnce) {
  Drbm<> law{.height = 0.098};
  law.spacing = law.touch() / 500.5;
  for (const double direction : {-1.0, 1.0}) EXPECT_LE(worst(law, 0.3, direction, 1e-11), 1e-10);
}
TEST(Expansion, StartsWithTheSlidingForceItself) {
  const Drbm<> law;
  for (const double x : {0.0, 0.0012, 0.0449, -0.3}) {
    const Branch<> branch{1.0, law.cell(0.0, Motion<double>{x}, 1.0)};
    EXPECT_TRUE(test::close(law.expand(x, branch, 1e-9).coefficient[0],
                            law.sliding(Motion<double>{x}, branch), 2.0 * test::epsilon));
  }
}
TEST(Expansion, IsCutShortWhereItsStorageIsFull) {
  Drbm<> law;
  law.height = 0.01;  // as far as the next bristle is as high as the bristle
  law.spacing = 0.01;
  law.reach = 0.025;
  const Branch<> branch{1.0, law.cell(0.0, Motion<double>{1e-4}, 1.0)};
  const Expansion e = law.expand(1e-4, branch, 1e-12);
  EXPECT_EQ(e.terms, Expansion::room);
  EXPECT_LT(e.span, e.end - 1e-4);
  EXPECT_LE(worst(law, 1e-4, 1.0, 1e-12), 2e-12);
}
TEST(Expansion, OfAContinuumIsItsMeanForEver) {
  Drbm<> law;
  law.row = Drbm<>::continuum;
  const Expansion e = law.expand(0.3, Branch<>{-1.0, 0.0}, 1e-9);
  EXPECT_EQ(e.terms, 1);
  EXPECT_DOUBLE_EQ(e.coefficient[0], -law.release_energy() / law.spacing);
  EXPECT_EQ(e.end, -std::numeric_limits<double>::infinity());
}
TEST(Expansion, IsOfferedByRowsOnly) {
  static_assert(ExpandableLaw<Drbm<>> && ExpandableLaw<Sawtooth<>>);
  static_assert(!ExpandableLaw<LuGre<>>);
}

}  // namespace
}  // namespace bristle::expansion_test
