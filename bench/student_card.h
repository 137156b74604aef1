// Makes the data of the student card, an example in documents on key design: the students of a university pay by card,
// at the terminals of sellers. docs/measurements/student-card.md uses this data to compare designs of the key. The
// documents say:
// - card_id, seller_id and device_id (the terminal) are unique in the university;
// - there are few sellers, and some of them are large. A seller with more sales has more terminals, so that each
//   terminal makes a few hundred purchases a day, some more than others;
// - an order_no is the date and a count. It is unique for its terminal only, and it grows with time;
// - a purchase is written when it happens.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <random>
#include <string>
#include <vector>

namespace widerow {

struct Purchase {
  int64_t at_micros = 0;
  int32_t card_id = 0;
  std::string seller_id;
  int32_t device_id = 0;
  int64_t order_no = 0;  // 2311140042 is the terminal's 42nd purchase on 14 November 2023.
  int32_t cents = 0;
};

struct Campus {
  uint64_t purchases = 10'000'000;
  int32_t cards = 60'000, sellers = 40, terminals = 400;
  int32_t days = 28;
  int64_t begin_micros = 1'699'920'000'000'000;  // 2023-11-14.
};

// Generates the purchases of a campus in the order of time. They are the same in every run.
class StudentCard {
 public:
  explicit StudentCard(const Campus& campus = {}) : campus_(campus) {
    // The largest seller has a fifth of the sales, and the five largest have half of them.
    std::vector<double> custom;
    for (int32_t i = 0; i < campus.sellers; ++i) custom.push_back(1.0 / std::pow(i + 1.5, 1.1));
    const double all = Sum(custom);
    for (int32_t i = 0; i < campus.terminals; ++i) {
      // The first terminals go to the sellers, one to each. The other terminals are distributed by sales.
      const int32_t seller = i < campus.sellers ? i : Pick(custom);
      terminals_.push_back({.seller = seller, .device_id = 10'000 + static_cast<int32_t>(random_() % 900'000)});
    }
    std::vector<int32_t> of_seller(static_cast<size_t>(campus.sellers), 0);
    for (const Terminal& terminal : terminals_) ++of_seller[static_cast<size_t>(terminal.seller)];
    std::vector<double> pace;
    for (const Terminal& terminal : terminals_) {
      const auto seller = static_cast<size_t>(terminal.seller);
      pace.push_back(custom[seller] / all / of_seller[seller] *
                     std::uniform_real_distribution<double>(0.7, 1.3)(random_));
    }
    terminal_of_ = std::discrete_distribution<int32_t>(pace.begin(), pace.end());
    std::vector<double> habit;
    std::lognormal_distribution<double> purchases_a_day(0, 0.4);
    for (int32_t i = 0; i < campus.cards; ++i) habit.push_back(purchases_a_day(random_));
    card_of_ = std::discrete_distribution<int32_t>(habit.begin(), habit.end());
  }

  // Stores the next purchase in `purchase`. Returns false if there is none.
  bool Next(Purchase& purchase) {
    constexpr int64_t kDay = 86'400'000'000;
    if (made_ >= campus_.purchases) return false;
    // Purchases are made from 7 to 21 o'clock. Most are made at noon.
    const auto a_day = static_cast<double>(campus_.purchases) / campus_.days;
    const auto day = static_cast<int64_t>(static_cast<double>(made_) / a_day);
    const double part = (static_cast<double>(made_) - static_cast<double>(day) * a_day) / a_day;
    const double hours =
        14 + 7 * std::asin(std::clamp(2 * part - 1, -1.0, 1.0)) / 1.5707963 * 0.6 + 7 * (2 * part - 1) * 0.4;
    purchase.at_micros = campus_.begin_micros + day * kDay + static_cast<int64_t>(hours * 3.6e9);
    Terminal& terminal = terminals_[static_cast<size_t>(terminal_of_(random_))];
    if (terminal.day != day) {
      terminal.day = day;
      terminal.count = 0;
    }
    purchase.card_id = 60'000 + 3 * card_of_(random_);
    purchase.seller_id = "a" + std::to_string(100 + terminal.seller);
    purchase.device_id = terminal.device_id;
    purchase.order_no = DateOf(day) * 10'000 + ++terminal.count;
    purchase.cents = 80 + static_cast<int32_t>(random_() % 900);
    ++made_;
    return true;
  }

 private:
  struct Terminal {
    int32_t seller = 0, device_id = 0;
    int64_t day = -1;
    int64_t count = 0;
  };

  static double Sum(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    return sum;
  }
  int32_t Pick(const std::vector<double>& weights) {
    return std::discrete_distribution<int32_t>(weights.begin(), weights.end())(random_);
  }
  // Returns a date as the number yymmdd. `day` is the number of days since the first day.
  int64_t DateOf(int64_t day) const {
    const time_t seconds = campus_.begin_micros / 1'000'000 + day * 86'400;
    tm civil{};
    gmtime_r(&seconds, &civil);
    return (civil.tm_year - 100) * 10'000 + (civil.tm_mon + 1) * 100 + civil.tm_mday;
  }

  const Campus campus_;
  std::mt19937_64 random_{54};
  std::vector<Terminal> terminals_;
  std::discrete_distribution<int32_t> terminal_of_, card_of_;
  uint64_t made_ = 0;
};

// A design of the table to compare with others. Its table is named `purchases_<name>`.
struct StudentCardDesign {
  const char* name;
  const char* key;  // The end of CREATE TABLE: PRIMARY KEY and PARTITION BY.
  // Some designs add a first column to the key. `added` is its name and type, and INSERT writes `expression` to it.
  const char* added = "";
  const char* expression = "";
};
inline constexpr StudentCardDesign kStudentCardDesigns[] = {
    {"by_card", "PRIMARY KEY (card_id, device_id, seller_id, order_no)) PARTITION BY RANGE (card_id)"},
    {"by_seller", "PRIMARY KEY (seller_id, card_id, device_id, order_no)) PARTITION BY RANGE (seller_id)"},
    {"by_device", "PRIMARY KEY (device_id, seller_id, card_id, order_no)) PARTITION BY RANGE (device_id)"},
    {"by_order", "PRIMARY KEY (order_no, device_id, seller_id, card_id)) PARTITION BY RANGE (order_no)"},
    {"by_order_hashed",
     "PRIMARY KEY ((prefix, order_no), device_id, seller_id, card_id)) PARTITION BY RANGE (prefix) PARTITIONS 16",
     "prefix text", "hash_prefix((bigint) :order_no, 4)"},
    {"by_order_bucketed",
     "PRIMARY KEY ((bucket, order_no), device_id, seller_id, card_id)) PARTITION BY RANGE (bucket, order_no)",
     "bucket int", "bucket((bigint) :order_no, 16)"},
};

inline std::string CreateStudentCardTable(const StudentCardDesign& design) {
  const std::string added = *design.added == '\0' ? "" : std::string(design.added) + ", ";
  return std::string("CREATE TABLE campus.purchases_") + design.name + " (" + added +
         "card_id int, seller_id text, device_id int, order_no bigint, at timestamp, cents int, " + design.key;
}
// Returns an INSERT with named bind markers: card_id, seller_id, device_id, order_no, at, cents.
inline std::string InsertStudentCardPurchase(const StudentCardDesign& design) {
  const std::string added = design.added, column = added.substr(0, added.find(' '));
  return std::string("INSERT INTO campus.purchases_") + design.name +
         " (card_id, seller_id, device_id, order_no, at, cents" + (added.empty() ? "" : ", " + column) +
         ") VALUES (:card_id, :seller_id, :device_id, :order_no, :at, :cents" +
         (added.empty() ? ")" : std::string(", ") + design.expression + ")");
}

}  // namespace widerow
