#include <cstdio>
#include <string>
#include <vector>

#include "unmask/power/power_report.h"

namespace unmask::power {
namespace {

// What is written differently in plain ASCII.
struct Signs {
  const char* times;
  const char* dot;
};
constexpr Signs kUnicode = {"×", "·"};
constexpr Signs kAscii = {"x", "-"};

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  const std::string result = text;
  return result.find_first_not_of("-0.") == std::string::npos && result.front() == '-'
             ? result.substr(1)
             : result;
}

std::string points(double fraction) { return fixed(100.0 * fraction, 1); }

// A rate needs more digits where it is small.
std::string percent(double fraction) {
  return fixed(100.0 * fraction, fraction < 0.01 ? 2 : 1) + " %";
}

// Columns that a text takes; every character here is one column wide.
std::size_t columns(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  return count;
}

std::string right(const std::string& text, std::size_t width) {
  const std::size_t taken = columns(text);
  return taken >= width ? text : std::string(width - taken, ' ') + text;
}

// `text` broken at spaces into lines of at most `width`, the later ones indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string result;
  std::string line;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && columns(line) + 1 + columns(word) > width) {
      result += line + '\n';
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
    start = end + 1;
  }
  return result + line + '\n';
}

class Text {
 public:
  Text(const PowerAnswer& answer, const Signs& signs) : answer_(answer), signs_(signs) {}

  std::string write() {
    header();
    for (const EffectPower& effect : answer_.effects) with_effect(effect);
    without_effect(answer_.none);
    out_ += std::string("\n% of the simulated studies [95 % interval, Wilson]. Designs: tasks ") +
            signs_.times + " trials, in\neach arm.\n";
    for (const std::string& note : answer_.question.notes) out_ += wrapped("note: " + note, 80, 6);
    return std::move(out_);
  }

 private:
  void header() {
    const PowerQuestion& question = answer_.question;
    const std::string dot = std::string(" ") + signs_.dot + ' ';
    out_ += "How large must a study be?  " + std::to_string(question.replicates) +
            " simulated studies a design, target " + fixed(100.0 * question.target, 0) + " %\n\n";
    out_ += "reference  " + question.process.domain + dot +
            percent(answer_.reference.errors_per_call) + " of calls fail" + dot +
            fixed(answer_.reference.errors_per_episode, 2) + " errors an episode\n";
    out_ += "           score " + points(answer_.reference.score_last) +
            " at K=" + std::to_string(answer_.last_budget);
    if (answer_.first_budget < answer_.last_budget) {
      out_ += ", " + points(answer_.reference.score_first) +
              " at K=" + std::to_string(answer_.first_budget);
    }
    const bool holm = question.audit.correction == stats::Correction::holm;
    out_ += "\ntests      alpha " + fixed(100.0 * question.audit.alpha, 0) + " %, " +
            (holm ? "Holm" : "Benjamini-Hochberg") + " over " +
            std::to_string(question.comparisons) +
            (question.comparisons == 1 ? " comparison" : " comparisons") + dot +
            "equivalence margin " + points(question.audit.margin) + " points\n";
  }

  [[nodiscard]] std::string at_first() const {
    return " at K=" + std::to_string(answer_.first_budget);
  }

  void with_effect(const EffectPower& effect) {
    const std::string ratio = signs_.times + fixed(effect.amplification, 2);
    out_ += '\n' + ratio + " errors an episode: " + percent(effect.truth.errors_per_call) +
            " of calls, gap " + points(effect.gap) + " at K=" + std::to_string(answer_.last_budget);
    if (answer_.first_budget < answer_.last_budget) {
      out_ += ", widening " + points(effect.widening) + at_first();
    }
    out_ += '\n';
    row({"trials", "tasks"}, {"amplified", "widening", "masked", "visible", "equivalent"});
    for (const DesignPower& each : effect.designs) {
      row(each.design, {&each.amplified, &each.widened, &each.verdict(Verdict::masked_damage),
                        &each.verdict(Verdict::visible_damage), &each.equivalent});
    }
    const SmallestDesigns& smallest = effect.smallest;
    out_ += "  smallest: amplified " + design(smallest.amplified) + ", widening " +
            design(smallest.widened) + ", masked damage " + design(smallest.masked) + '\n';
  }

  void without_effect(const EffectPower& effect) {
    out_ += "\nno effect: the reference against itself\n";
    row({"trials", "tasks"}, {"clean", "any damage", "amplified", "widening", "equivalent"});
    for (const DesignPower& each : effect.designs) {
      row(each.design, {&each.verdict(Verdict::clean), &each.damaged, &each.amplified,
                        &each.widened, &each.equivalent});
    }
    out_ += "  smallest: clean " + design(effect.smallest.clean) + '\n';
  }

  void row(const std::vector<std::string>& design, const std::vector<std::string>& cells) {
    out_ += "  " + right(design[0], 6) + right(design[1], 7);
    for (const std::string& cell : cells) out_ += right(cell, 13);
    out_ += '\n';
  }

  void row(const Design& design, const std::vector<const Power*>& powers) {
    std::vector<std::string> cells;
    for (const Power* power : powers) {
      const stats::Interval interval = interval_of(*power, answer_.question.replicates);
      cells.push_back(fixed(100.0 * power->share, 0) + " [" + fixed(100.0 * interval.low, 0) + "," +
                      fixed(100.0 * interval.high, 0) + "]");
    }
    row({std::to_string(design.trials), std::to_string(design.tasks)}, cells);
  }

  [[nodiscard]] std::string design(const std::optional<Design>& found) const {
    if (!found) return "none of these";
    return std::to_string(found->tasks) + ' ' + signs_.times + ' ' + std::to_string(found->trials);
  }

  const PowerAnswer& answer_;
  const Signs& signs_;
  std::string out_;
};

}  // namespace

std::string power_text(const PowerAnswer& answer, bool ascii) {
  return Text(answer, ascii ? kAscii : kUnicode).write();
}

}  // namespace unmask::power
