#include "types/text_analysis.h"

#include <gtest/gtest.h>

namespace widerow {
namespace {

TextAnalysis Of(const std::map<std::string, std::string>& options) { return TextAnalysis::FromOptions(options); }

TEST(TextAnalysisTest, NothingIsDoneUnasked) {
  EXPECT_FALSE(Of({}).any());
  EXPECT_FALSE(Of({{"case_sensitive", "true"}, {"normalize", "false"}}).any());
  EXPECT_EQ(Of({}).Apply("Äpfel"), "Äpfel");
}

TEST(TextAnalysisTest, LettersOfOneCase) {
  EXPECT_EQ(Of({{"case_sensitive", "false"}}).Apply("HeLLo"), "hello");
  EXPECT_EQ(Of({{"case_sensitive", "FALSE"}}).Apply("ÄÖ İ"), "äö i̇");
  EXPECT_EQ(Of({{"normalize_uppercase", "true"}}).Apply("straße"), "STRASSE");
}

TEST(TextAnalysisTest, OneAnalyzerOfSasiReadsTheOptions) {
  std::map<std::string, std::string> options{{"class_name", "org.apache.cassandra.index.sasi.SASIIndex"},
                                             {"case_sensitive", "false"}};
  EXPECT_FALSE(Of(options).any());
  options["analyzer_class"] = "org.apache.cassandra.index.sasi.analyzer.StandardAnalyzer";
  EXPECT_FALSE(Of(options).any());
  options["analyzer_class"] = "org.apache.cassandra.index.sasi.analyzer.NonTokenizingAnalyzer";
  EXPECT_TRUE(Of(options).any());
  options["analyzed"] = "false";
  EXPECT_FALSE(Of(options).any());
}

TEST(TextAnalysisTest, OneWayToComposeThem) { EXPECT_EQ(Of({{"normalize", "true"}}).Apply("A\u0308"), "Ä"); }

TEST(TextAnalysisTest, NoAccentsAndNoLigatures) {
  const TextAnalysis ascii = Of({{"ascii", "true"}});
  EXPECT_EQ(ascii.Apply("Äpfel Œuvre Straße Ærø"), "Apfel OEuvre Strasse AEro");
  EXPECT_EQ(ascii.Name(), "ascii");
  EXPECT_EQ(Of({{"case_sensitive", "false"}, {"ascii", "true"}}).Name(), "lower, ascii");
}

TEST(TextAnalysisTest, WhatIsNotUtf8DoesNoHarm) {
  EXPECT_FALSE(Of({{"case_sensitive", "false"}}).Apply("\xFF\xFE").empty());
}

}  // namespace
}  // namespace widerow
