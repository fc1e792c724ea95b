// SPDX-License-Identifier: MIT
// The kinds of trials of a campaign.
#pragma once

#include "campaign.hpp"

namespace bristle::campaign {

int run_adaptive(const Request& request);
int run_fixed(const Request& request);
int run_pairs(const Request& request);
int run_machines(const Request& request);

}  // namespace bristle::campaign
