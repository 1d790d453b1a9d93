#include "unmask/report/page_status.h"

#include <string>

#include <nlohmann/json.hpp>

namespace unmask {

std::string page_status_json(const PageStatus& status) {
  const nlohmann::ordered_json json = {{"version", status.version}, {"problem", status.problem}};
  // What is no UTF-8, such as a strange file's name, is replaced rather than refused.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace unmask
