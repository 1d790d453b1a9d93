#include "reference/reference_data.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace unmask::reference {

std::filesystem::path shared_folder() {
  if (const char* folder = std::getenv("UNMASK_SHARED"); folder != nullptr && *folder != '\0') {
    return folder;
  }
  return UNMASK_DEFAULT_SHARED;
}

std::optional<std::string> read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  // gzread passes plain files through.
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string bytes;
  std::string buffer(1U << 16U, '\0');
  int got = 0;
  while ((got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    bytes.append(buffer, 0, static_cast<std::size_t>(got));
  }
  gzclose(file);
  if (got < 0) return std::nullopt;
  return bytes;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

namespace {

void report_missing(const std::string& file, std::size_t expected) {
  std::cout << "reference " << file << ": 0 of " << expected << " vectors (data not found)\n";
  const char* required = std::getenv("UNMASK_REQUIRE_REFERENCE");
  if (required != nullptr && std::string(required) == "1") {
    ADD_FAILURE() << "reference data is required but " << shared_folder() / file
                  << " can't be read";
  } else {
    GTEST_SKIP() << "no reference data at " << shared_folder();
  }
}

}  // namespace

Vectors::Vectors(std::string file, std::size_t expected)
    : file_(std::move(file)), expected_(expected), available_(std::filesystem::exists(path())) {
  if (!available_) report_missing(file_, expected_);
}

std::filesystem::path Vectors::path() const { return shared_folder() / file_; }

nlohmann::json Vectors::json() const { return nlohmann::json::parse(read_bytes(path()).value()); }

void Vectors::finish() const {
  std::cout << "reference " << file_ << ": " << checked_ << " of " << expected_ << " vectors\n";
  EXPECT_GE(checked_, expected_) << file_ << " has fewer vectors than the test knows of";
}

}  // namespace unmask::reference
