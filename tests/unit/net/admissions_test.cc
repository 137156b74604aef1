#include "net/admissions.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace widerow {
namespace {

const Bytes kFirst("\xc0\0\2\1", 4), kSecond("\xc0\0\2\2", 4);

Bytes SixBytes(char network, char host) {
  Bytes address(16, '\0');
  address[7] = network;
  address[15] = host;
  return address;
}

TEST(AdmissionsTest, AnAddressHasAShareOfStrangers) {
  Admissions admissions({.connections_max = 160});
  std::vector<std::shared_ptr<Admissions::Place>> first;
  for (int i = 0; i < 20; ++i) {
    first.push_back(admissions.Enter(kFirst));
    ASSERT_NE(first.back(), nullptr);
    EXPECT_EQ(first.back()->admission(), Admission::kServed);
  }
  EXPECT_EQ(admissions.Enter(kFirst)->admission(), Admission::kTooManyStrangers);
  const auto second = admissions.Enter(kSecond);
  EXPECT_EQ(second->admission(), Admission::kServed);
  first[3]->Trust();
  first[3]->Trust();  // Calling Trust() again changes nothing.
  first.push_back(admissions.Enter(kFirst));
  EXPECT_EQ(first.back()->admission(), Admission::kServed);
  EXPECT_EQ(admissions.Enter(kFirst)->admission(), Admission::kTooManyStrangers);
  first[3].reset();  // This client was not a stranger, so the address still has as many strangers as it may have.
  EXPECT_EQ(admissions.Enter(kFirst)->admission(), Admission::kTooManyStrangers);
  first[4].reset();
  EXPECT_EQ(admissions.Enter(kFirst)->admission(), Admission::kServed);
}

TEST(AdmissionsTest, NetworksOfSixBytesCountAsOneAddress) {
  Admissions admissions({.connections_max = 16 * 8});
  std::vector<std::shared_ptr<Admissions::Place>> places;
  for (char host = 0; host < 16; ++host) places.push_back(admissions.Enter(SixBytes(1, host)));
  EXPECT_EQ(admissions.Enter(SixBytes(1, 77))->admission(), Admission::kTooManyStrangers);
  EXPECT_EQ(admissions.Enter(SixBytes(2, 77))->admission(), Admission::kServed);
}

TEST(AdmissionsTest, FewAreToldWhyAndTheOthersAreDisconnected) {
  const AdmissionLimits limits{.connections_max = 100};
  Admissions admissions(limits);
  std::vector<std::shared_ptr<Admissions::Place>> served, told;
  for (size_t i = 0; i < limits.connections_max; ++i) {
    served.push_back(admissions.Enter(kFirst));
    served.back()->Trust();
  }
  for (size_t i = 0; i < limits.turned_away_max(); ++i) {
    told.push_back(admissions.Enter(kSecond));
    EXPECT_EQ(told.back()->admission(), Admission::kTooMany);
  }
  EXPECT_EQ(admissions.Enter(kSecond), nullptr);
  told.pop_back();
  told.push_back(admissions.Enter(kSecond));
  EXPECT_EQ(told.back()->admission(), Admission::kTooMany);
  // The limit of clients that are served does not count the clients that are told why they are refused.
  served.pop_back();
  EXPECT_EQ(admissions.Enter(kFirst)->admission(), Admission::kServed);
}

TEST(AdmissionsTest, ManyStrangersTakeNoPlacesOfOthers) {
  Admissions admissions({.connections_max = 4'096});
  std::vector<std::shared_ptr<Admissions::Place>> places;
  for (int i = 0; i < 5'000; ++i) places.push_back(admissions.Enter(kFirst));
  for (int i = 0; i < 512; ++i) {
    places.push_back(admissions.Enter(kSecond));
    ASSERT_NE(places.back(), nullptr);
    EXPECT_EQ(places.back()->admission(), Admission::kServed);
  }
}

TEST(AdmissionsTest, AfterCloseNobodyEnters) {
  Admissions admissions({});
  auto place = admissions.Enter(kFirst);
  admissions.Close();
  EXPECT_EQ(admissions.Enter(kSecond), nullptr);
  EXPECT_FALSE(admissions.EmptyWithin(1));
  place.reset();
  EXPECT_TRUE(admissions.EmptyWithin(1));
  admissions.WaitUntilEmpty();
}

TEST(AdmissionsTest, LimitsFitTheDescriptors) {
  for (size_t descriptors = 16; descriptors < 10'000; descriptors += 37) {
    const AdmissionLimits limits = AdmissionLimits::ForDescriptors(descriptors);
    EXPECT_LE(limits.connections_max + limits.turned_away_max() + 1, std::max<size_t>(descriptors, 18));
  }
}

TEST(AdmissionsConcurrencyTest, PlacesComeBackFromAnyThread) {
  Admissions admissions({.connections_max = 64});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 2'000; ++i) {
        const auto place = admissions.Enter(thread % 2 == 0 ? kFirst : kSecond);
        if (place != nullptr && i % 3 == 0) place->Trust();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(admissions.EmptyWithin(0));
}

}  // namespace
}  // namespace widerow
