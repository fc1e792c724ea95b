// SPDX-License-Identifier: MIT
#include "bristle/io/formula.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "bristle/model/describe.hpp"
#include "bristle/model/error.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

struct Function {
  std::string_view name;
  double (*of)(double);
};

constexpr std::array functions{
    Function{"abs", [](double x) { return std::abs(x); }},
    Function{"sign", [](double x) { return x > 0.0   ? 1.0
                                           : x < 0.0 ? -1.0
                                                     : 0.0; }},
    Function{"sqrt", [](double x) { return std::sqrt(x); }},
    Function{"exp", [](double x) { return std::exp(x); }},
    Function{"log", [](double x) { return std::log(x); }},
    Function{"sin", [](double x) { return std::sin(x); }},
    Function{"cos", [](double x) { return std::cos(x); }},
    Function{"tan", [](double x) { return std::tan(x); }},
    Function{"asin", [](double x) { return std::asin(x); }},
    Function{"acos", [](double x) { return std::acos(x); }},
    Function{"atan", [](double x) { return std::atan(x); }},
    Function{"sinh", [](double x) { return std::sinh(x); }},
    Function{"cosh", [](double x) { return std::cosh(x); }},
    Function{"tanh", [](double x) { return std::tanh(x); }},
    Function{"sech", [](double x) { return 1.0 / std::cosh(x); }},
};

}  // namespace

std::vector<std::string> formula_functions() {
  std::vector<std::string> names;
  for (const auto& f : functions) names.emplace_back(f.name);
  return names;
}

// Recursive descent; what is read becomes steps on a stack.
class FormulaReader {
 public:
  FormulaReader(const std::string& text, std::vector<Formula::Step>& steps)
      : text_(text), steps_(steps) {}

  void read() {
    sum();
    if (!at_end()) refuse("an operator");
  }

 private:
  using Kind = Formula::Kind;

  [[noreturn]] void refuse(const std::string& expected) {
    const std::string found =
        at_end() ? "it ends"
                 : "'" + shown(shortened(std::string_view(text_).substr(at_), 12)) +
                       "' stands at character " + std::to_string(at_ + 1);
    throw InvalidInput(
        "formula", "formula \"" + shown(text_) + "\": " + expected + " is expected where " + found);
  }
  bool at_end() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ == text_.size();
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void put(Kind kind) { steps_.push_back({kind}); }

  void sum() {
    product();
    while (true) {
      if (take('+')) product(), put(Kind::add);
      else if (take('-')) product(), put(Kind::subtract);
      else return;
    }
  }
  void product() {
    signed_power();
    while (true) {
      if (take('*')) signed_power(), put(Kind::multiply);
      else if (take('/')) signed_power(), put(Kind::divide);
      else return;
    }
  }
  void signed_power() {
    if (++depth_ > 200) refuse("less nesting");
    if (take('-')) signed_power(), put(Kind::negate);
    else if (take('+')) signed_power();
    else {
      atom();
      if (take('^')) signed_power(), put(Kind::power);
    }
    --depth_;
  }
  void atom() {
    if (take('(')) close();
    else if (at_end()) refuse("a number, x, a function or '('");
    else if (std::isalpha(static_cast<unsigned char>(text_[at_]))) name();
    else number();
  }
  void close() {
    sum();
    if (!take(')')) refuse("')'");
  }
  void number() {
    double value = 0.0;
    const char* const end = text_.data() + text_.size();
    const auto read = std::from_chars(text_.data() + at_, end, value);
    if (read.ec != std::errc()) refuse("a number, x, a function or '('");
    at_ = std::size_t(read.ptr - text_.data());
    steps_.push_back({Kind::number, value});
  }
  void name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string word = text_.substr(from, at_ - from);
    if (word == "x") return put(Kind::variable);
    if (word == "pi") return steps_.push_back({Kind::number, std::numbers::pi});
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (functions[i].name != word) continue;
      if (!take('(')) refuse("'(' after " + word);
      close();
      return steps_.push_back({Kind::call, 0.0, i});
    }
    std::vector<std::string> known = formula_functions();
    known.insert(known.begin(), {"x", "pi"});
    throw InvalidInput("formula",
                       "formula \"" + shown(text_) + "\": " + not_found("name", word, known));
  }

  const std::string& text_;
  std::vector<Formula::Step>& steps_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Formula::Formula(std::string text) : text_(std::move(text)) { FormulaReader(text_, steps_).read(); }

double Formula::operator()(double x) const {
  std::vector<double> stack;
  const auto pop = [&] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::number: stack.push_back(step.number); continue;
      case Kind::variable: stack.push_back(x); continue;
      case Kind::negate: stack.back() = -stack.back(); continue;
      case Kind::call: stack.back() = functions[step.function].of(stack.back()); continue;
      default: break;
    }
    const double b = pop();
    double& a = stack.back();
    if (step.kind == Kind::add) a += b;
    else if (step.kind == Kind::subtract) a -= b;
    else if (step.kind == Kind::multiply) a *= b;
    else if (step.kind == Kind::divide) a /= b;
    else a = std::pow(a, b);
  }
  return stack.back();
}

}  // namespace bristle::io
