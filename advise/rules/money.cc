// The rule float-money: amounts of money in columns of type float or double.
#include <algorithm>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

// True if the name has a word that always means money.
bool IsMoney(std::string_view name) {
  return HasWord(name, {"price",   "cost",    "fee",  "fees", "salary", "wage",   "money", "payment", "revenue",
                        "refund",  "tax",     "vat",  "usd",  "eur",    "gbp",    "chf",   "cents",   "income",
                        "invoice", "deposit", "fare", "rent", "cash",   "profit", "payout"});
}

// True if the name has a word that can mean money. An amount is money, for example, if the table has a currency too.
bool MayBeMoney(std::string_view name) {
  return HasWord(name, {"amount", "total", "subtotal", "balance", "paid", "charge", "debit", "credit"});
}

// True if the name has a word for a unit, a share or a score. Then the number is a measurement and no money.
bool IsMeasurement(std::string_view name) {
  return HasWord(name, {"ml",       "cl",       "dl",         "l",     "litre",    "liter",         "litres",
                        "liters",   "mg",       "g",          "kg",    "t",        "gram",          "grams",
                        "km",       "m",        "cm",         "mm",    "mile",     "miles",         "meter",
                        "metre",    "s",        "ms",         "sec",   "second",   "seconds",       "min",
                        "minute",   "minutes",  "h",          "hour",  "hours",    "day",           "days",
                        "percent",  "pct",      "percentage", "ratio", "rate",     "share",         "factor",
                        "score",    "level",    "rating",     "index", "wh",       "kwh",           "mwh",
                        "kw",       "w",        "watt",       "watts", "v",        "volt",          "volts",
                        "a",        "amp",      "amps",       "ah",    "mah",      "celsius",       "bytes",
                        "kb",       "mb",       "gb",         "count", "energy",   "power",         "battery",
                        "weight",   "volume",   "distance",   "dose",  "rainfall", "precipitation", "temperature",
                        "humidity", "pressure", "speed",      "load",  "usage",    "calories",      "kcal",
                        "steps",    "quantity", "qty",        "units", "change"});
}

// True if other columns or the table's name say that the table is about money.
bool IsAboutMoney(const TableFacts& table) {
  const auto says = [](std::string_view name) {
    return IsMoney(name) ||
           HasWord(name, {"currency",  "account",     "ledger",       "wallet", "payments", "invoices",  "bill",
                          "bills",     "transaction", "transactions", "order",  "orders",   "purchase",  "purchases",
                          "sale",      "sales",       "cart",         "bank",   "budget",   "transfers", "donation",
                          "donations", "expense",     "expenses",     "loan",   "loans"});
  };
  return says(table.table->name) ||
         std::ranges::any_of(table.table->columns, [&](const ColumnSchema& column) { return says(column.name); });
}

std::string DecimalFix(const Facts& facts, const TableFacts& table, const ColumnSchema& column) {
  if (column.is_key() || !table.exists)
    return Redesign(facts, table, "decimal").SetType(column.name, "decimal").Create();
  return StrCat("ALTER TABLE ", FullName(*table.table), " ADD ",
                QuoteIdentifier(Redesign(facts, table, "").FreeColumn(column.name + "_exact")), " decimal",
                column.kind == ColumnKind::kStatic ? " STATIC;" : ";");
}

}  // namespace

void FindFloatMoney(const Facts& facts, const TableFacts& table, Findings& out) {
  for (uint32_t i = 0; i < table.table->columns.size(); ++i) {
    const ColumnSchema& column = table.column(i);
    if (column.type->kind != TypeKind::kFloat && column.type->kind != TypeKind::kDouble) continue;
    // A unit in the name is checked for uncertain words only: price_per_kg is money, and amount_kg is not.
    const bool money = IsMoney(column.name) && !HasWord(column.name, {"percent", "pct", "percentage", "ratio", "rate",
                                                                      "factor", "share", "score", "index"});
    const bool maybe = MayBeMoney(column.name) && !IsMeasurement(column.name);
    if (!money && !maybe) continue;
    const bool certain = money || IsAboutMoney(table);
    Finding finding = About(table, "float-money", certain ? Severity::kWarning : Severity::kInfo,
                            certain ? Confidence::kDeclared : Confidence::kSuspected, {i});
    finding.evidence = column.name + " is a " + TypeText(*column.type) + ", and " +
                       (certain ? "money by its name" : "perhaps money; a currency beside it would prove it");
    finding.why = "binary fractions cannot hold 0.10: sums drift by cents; use decimal, or bigint in the smallest unit";
    finding.fix = DecimalFix(facts, table, column);
    out.push_back(std::move(finding));
  }
}

}  // namespace widerow::advise
