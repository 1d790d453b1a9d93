#include "unmask/world/merge.h"

#include "unmask/world/value.h"

namespace unmask::world {

void merge_objects(Object& into, const Object& update) {
  for (const Member& member : update) {
    Value* present = into.find(member.key);
    const Object* inside = member.value.object();
    if (present != nullptr && present->object() != nullptr && inside != nullptr) {
      merge_objects(*present->object(), *inside);
    } else {
      into.set(member.key, member.value);
    }
  }
}

}  // namespace unmask::world
