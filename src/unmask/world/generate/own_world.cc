#include "unmask/world/generate/own_world.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "world_generate_data.h"

#include "unmask/base/error.h"
#include "unmask/world/data_files.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/world.h"

namespace unmask::world::generated {

DataFiles data_files_of(GeneratedDomain domain, std::vector<GeneratedFile> files) {
  const std::string folder = domain_folder(domain);
  std::map<std::string, std::string> by_name;
  for (GeneratedFile& file : files) {
    const bool own = file.name.starts_with(folder);
    by_name.emplace(own ? file.name.substr(folder.size()) : file.name, std::move(file.bytes));
  }
  return {"the generated world " + std::string(name_of(domain)), std::move(by_name)};
}

Result<std::shared_ptr<const World>> own_world(std::string_view name, const WorldSettings& settings,
                                               const LoadSettings& load) {
  const KnownWorld* known = find_known_world(name);
  if (known == nullptr || known->data != name_of(settings.domain)) {
    return fail(ErrorCode::invalid_argument,
                "unmask has no data of its own for the world " + std::string(name));
  }
  Result<std::vector<GeneratedFile>> files = generate(settings);
  if (!files) return tl::unexpected<Error>(files.error());
  return known->load(data_files_of(settings.domain, std::move(*files)), load);
}

std::string_view user_guidelines(bool with_tools) {
  return with_tools ? world_data::user_guidelines_tools_md : world_data::user_guidelines_md;
}

}  // namespace unmask::world::generated
