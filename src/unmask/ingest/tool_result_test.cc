#include "unmask/ingest/tool_result.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

struct Case {
  std::string_view message;
  bool failed = false;
  std::string_view text;
};

TEST(ToolResult, FlagsAndWords) {
  for (const Case& example : {
           Case{R"({"content": "open"})", false, "open"},
           Case{R"({"content": ""})", false, ""},
           Case{R"({"content": null})", false, ""},
           Case{R"({})", false, ""},
           // flags decide against the words
           Case{R"({"content": "Error: no lamp", "error": false})", false, "Error: no lamp"},
           Case{R"({"content": "no lamp", "error": true})", true, "no lamp"},
           Case{R"({"content": "no lamp", "is_error": true})", true, "no lamp"},
           Case{R"({"content": "no lamp", "isError": true})", true, "no lamp"},
           Case{R"({"content": "no lamp", "status": "error"})", true, "no lamp"},
           Case{R"({"content": "Error: 1", "status": "success"})", false, "Error: 1"},
           Case{R"({"content": "", "error": {"type": "parsing", "message": "no lamp"}})", true,
                "no lamp"},
           Case{R"({"content": "", "error": "no lamp"})", true, "no lamp"},
           Case{R"({"content": "Error: 1", "error": null})", true, "Error: 1"},
           // words
           Case{R"({"content": "Error: no lamp"})", true, "Error: no lamp"},
           Case{R"({"content": " \nError"})", true, " \nError"},
           Case{R"({"content": "Error executing tool x: no"})", true, "Error executing tool x: no"},
           Case{R"({"content": "Errors are listed below"})", false, "Errors are listed below"},
           Case{R"({"content": "error: no lamp"})", false, "error: no lamp"},
           Case{R"({"content": "Security violation: path"})", true, "Security violation: path"},
           Case{R"({"content": "MCP error -32602: x"})", true, "MCP error -32602: x"},
           Case{R"({"content": "Tool lamp not found in agent A"})", true,
                "Tool lamp not found in agent A"},
           Case{R"({"content": "Tool list: a, b"})", false, "Tool list: a, b"},
           Case{R"({"content": "Invalid JSON input for tool x: {"})", true,
                "Invalid JSON input for tool x: {"},
           // bodies
           Case{R"({"content": "{\"error\": \"no lamp\"}"})", true, R"({"error": "no lamp"})"},
           Case{R"({"content": "{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": 1}}"})",
                true, R"({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}})"},
           Case{R"({"content": "{\"success\": false, \"error\": \"x\"}"})", true,
                R"({"success": false, "error": "x"})"},
           Case{R"({"content": "{\"success\": true, \"error\": \"x\"}"})", false,
                R"({"success": true, "error": "x"})"},
           Case{R"({"content": "{\"error\": null, \"rows\": []}"})", false,
                R"({"error": null, "rows": []})"},
           Case{R"({"content": "{\"rows\": [], \"error\": \"late\"}"})", false,
                R"({"rows": [], "error": "late"})"},
           Case{R"({"content": "{\"message\": \"x\", \"status\": 404, \"object\": \"error\"}"})",
                true, R"({"message": "x", "status": 404, "object": "error"})"},
           Case{R"({"content": "{\"status\": 200, \"object\": \"list\", \"error\": 0}"})", false,
                R"({"status": 200, "object": "list", "error": 0})"},
           Case{R"({"content": "{\"error\": \"cut"})", false, R"({"error": "cut)"},
           // wrapped content
           Case{R"({"content": "{\"type\": \"text\", \"text\": \"no\", \"error\": true}"})", true,
                "no"},
           Case{R"({"content": "{\"type\": \"text\", \"text\": \"Error: no\"}"})", true,
                "Error: no"},
           Case{R"({"content": "{\"type\": \"text\", \"text\": \"ok\", \"annotations\": null}"})",
                false, "ok"},
           Case{R"({"content": "[{\"type\": \"text\", \"text\": \"a\"}, {\"type\": \"text\", )"
                R"(\"text\": \"b\", \"error\": true}]"})",
                true, "a\nb"},
           Case{R"({"content": [{"type": "text", "text": "Error: a"}]})", true, "Error: a"},
           Case{R"({"content": [{"type": "image"}, {"type": "text", "text": "a"}]})", false, "a"},
           Case{R"({"content": "{\"content\": [{\"type\": \"text\", \"text\": \"bad\"}], )"
                R"(\"isError\": true}"})",
                true, "bad"},
           Case{R"({"content": {"error": "no lamp"}})", true, R"({"error":"no lamp"})"},
       }) {
    json::Parser parser;
    json::Parser inner;
    const auto message = parser.parse(example.message);
    ASSERT_TRUE(message.has_value()) << example.message;
    const ToolResult result = read_tool_result(message->root, inner);
    EXPECT_EQ(result.failed(), example.failed) << example.message;
    EXPECT_EQ(result.text, example.text) << example.message;
  }
}

TEST(ToolResult, TauBenchHasWordsAlone) {
  EXPECT_TRUE(says_failed_in_tau_bench("Error: lamp not found", "x"));
  EXPECT_TRUE(says_failed_in_tau_bench("Unknown action open_lid", "open_lid"));
  EXPECT_FALSE(says_failed_in_tau_bench("Unknown action open_lid", "close_lid"));
  EXPECT_FALSE(says_failed_in_tau_bench("Error", "x"));
  EXPECT_FALSE(says_failed_in_tau_bench("No Error: here", "x"));
  EXPECT_FALSE(says_failed_in_tau_bench("", ""));
}

}  // namespace
}  // namespace unmask
