#pragma once

#include "unmask/base/rng.h"
#include "unmask/world/generate/errand.h"
#include "unmask/world/generate/retail_request.h"

namespace unmask::world::generated {

// One function a kind of request. False: the customer has nothing that would do, and `request` and
// `errand` may be half changed.

bool cancel_order(Errand& errand, Rng& rng, RetailRequest& request);
bool return_items(Errand& errand, Rng& rng, RetailRequest& request);
bool exchange_items(Errand& errand, Rng& rng, RetailRequest& request);
bool modify_items(Errand& errand, Rng& rng, RetailRequest& request);
bool modify_payment(Errand& errand, Rng& rng, RetailRequest& request);
bool modify_order_address(Errand& errand, Rng& rng, RetailRequest& request);
bool modify_user_address(Errand& errand, Rng& rng, RetailRequest& request);
bool several_changes(Errand& errand, Rng& rng, RetailRequest& request);
bool return_or_exchange(Errand& errand, Rng& rng, RetailRequest& request);

bool cancel_sent_order(Errand& errand, Rng& rng, RetailRequest& request);
bool cancel_for_other_reason(Errand& errand, Rng& rng, RetailRequest& request);
bool exchange_for_other_product(Errand& errand, Rng& rng, RetailRequest& request);
bool exchange_for_sold_out(Errand& errand, Rng& rng, RetailRequest& request);
bool return_to_other_method(Errand& errand, Rng& rng, RetailRequest& request);
bool return_undelivered(Errand& errand, Rng& rng, RetailRequest& request);
bool pay_with_short_gift_card(Errand& errand, Rng& rng, RetailRequest& request);
bool cancel_for_stranger(Errand& errand, Rng& rng, RetailRequest& request);
bool hand_over(Errand& errand, Rng& rng, RetailRequest& request);

}  // namespace unmask::world::generated
