#pragma once

#include <string>
#include <string_view>

#include "unmask/base/error.h"

namespace unmask::store {

/// Whether a setting of this name holds a credential, such as `api_key`, `Authorization`, `token`;
/// not names of variables and files (`_env`, `_var`, `_file`).
[[nodiscard]] bool names_a_credential(std::string_view key);

/// Refuses settings that hold a credential: a text under a key such as `api_key`, `Authorization`
/// or `password`, or one that looks like a key of a provider. Empty and placeholder texts (`EMPTY`,
/// `dummy`, `none`, `[removed]`) pass, and so do names of environment variables under keys that end
/// in `_env`, `_var` or `_file`.
/// `what` begins the message. Errors: invalid_argument, which never quotes the text; also if `json`
/// is no JSON object.
[[nodiscard]] Result<void> refuse_credentials(std::string_view json, const std::string& what);

}  // namespace unmask::store
