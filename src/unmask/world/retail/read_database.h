#pragma once

#include <string_view>

#include "unmask/base/error.h"
#include "unmask/world/retail/retail_data.h"

namespace unmask::world::retail {

/// Reads tau2-bench's db.json of the retail domain: an object of `products`, `users` and `orders`,
/// each keyed by id. `file` begins the errors. Unknown members below the top are dropped.
/// Errors: bad_input, with file and place (`db.json: orders.#W1.items[0].price: ...`), for what is
/// no JSON or not of that form, for another top-level key, and for a key that is not the id inside.
[[nodiscard]] Result<Database> read_database(std::string_view json, std::string_view file);

}  // namespace unmask::world::retail
