// A request that gets no memory is answered with an error, or its connection is closed. The process and the other
// connections go on.
#include <atomic>
#include <cstdlib>
#include <future>
#include <new>

#include "exec/engine/blob_write.h"
#include "net/worker_pool.h"
#include "tests/unit/net/native_test.h"

namespace {
std::atomic<size_t> allocation_bytes_max{SIZE_MAX};  // Larger allocations fail, on every thread.
}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kReplaced = false;  // The sanitizers replace operator new themselves.
#else
constexpr bool kReplaced = true;
void* operator new(size_t size) {
  if (size > allocation_bytes_max.load(std::memory_order_relaxed)) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size); memory != nullptr) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
#endif

namespace widerow {
namespace {

using ::testing::HasSubstr;

// While an object of this class exists, allocations of more than 1 MB fail.
class LittleMemory {
 public:
  LittleMemory() { allocation_bytes_max = 1'000'000; }
  ~LittleMemory() { allocation_bytes_max = SIZE_MAX; }
};

class OutOfMemoryTest : public NativeTest {
 protected:
  static constexpr size_t kLargeBytes = 3'000'000;

  void SetUp() override {
    if (!kReplaced) GTEST_SKIP() << "operator new is that of the sanitizer";
    NativeTest::SetUp();
    MakeRows(5'000, 1'000);
    Must("INSERT INTO t (pk, ck, v) VALUES (1, 1, '" + std::string(kLargeBytes, 'x') + "')");
  }
  static void ExpectNoMemory(const NativeReply& reply) {
    EXPECT_EQ(reply.error_code(), kOverloaded);
    EXPECT_THAT(reply.error_text(), HasSubstr("The server has no memory for this request"));
  }
};

TEST_F(OutOfMemoryTest, Reads) {
  for (const uint8_t version : {4, 5}) {
    const auto client = Connect(version);
    const NativePrepared row = client->Prepare("SELECT v FROM k.t WHERE pk = 1 AND ck = 1");
    const ParametersText parameters;
    {
      const LittleMemory little;
      ExpectNoMemory(client->Query("SELECT * FROM k.t WHERE pk = 0"));                          // On a worker.
      ExpectNoMemory(client->Ask(Opcode::kExecute, ExecuteBody(row.id, version, parameters)));  // On the I/O thread.
      EXPECT_EQ(RowsOf(client->Query("SELECT ck FROM k.t WHERE pk = 0 LIMIT 3")).rows.size(), 3u);
    }
    EXPECT_EQ(RowsOf(client->Query("SELECT * FROM k.t WHERE pk = 0")).rows.size(), 5'000u);
  }
}

TEST_F(OutOfMemoryTest, Writes) {
  const auto client = Connect();
  const std::string condition = "UPDATE k.t SET v = 'y' WHERE pk = 1 AND ck = 1 IF v = 'z'";
  {
    const LittleMemory little;
    // The answer would contain the large value. The storage's thread makes it.
    ExpectNoMemory(client->Query(condition));
    ExpectNoMemory(client->Query(condition));
    EXPECT_EQ(client->Query("INSERT INTO k.t (pk, ck, v) VALUES (2, 2, 'a')").result_kind(), 1);
  }
  EXPECT_EQ(RowsOf(client->Query(condition)).rows.size(), 1u);
  EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE pk = 2")).rows.size(), 1u);
}

TEST_F(OutOfMemoryTest, RequestsThatAreTooLongForTheMemory) {
  const auto client = Connect();
  const Bytes large = MakeFrame(Opcode::kQuery, QueryBody("SELECT '" + std::string(kLargeBytes, 'x') + "'"));
  {
    const LittleMemory little;
    client->SendRaw(large);
    EXPECT_TRUE(client->WaitForClose(10'000));
    ExpectOthersUnaffected();
  }
  EXPECT_TRUE(HoldsAtMost(0));
}

// A value that is stored in pieces is read when the server has counted its memory, not before.
TEST_F(OutOfMemoryTest, LargeObjectsAreCountedBeforeTheyAreRead) {
  Must("CREATE TABLE files (id int PRIMARY KEY, data longblob)");
  const PreparedPtr update = engine_->Prepare("UPDATE k.files SET data = ? WHERE id = 1", "k").value();
  auto write = engine_->WriteBlob(update, {.values = std::vector<BoundValue>(1)});
  ASSERT_TRUE(write.ok()) << write.error().message;
  ASSERT_TRUE((*write)->Append(Bytes(kLargeBytes, 'x')).ok());
  ASSERT_TRUE((*write)->Finish().ok());
  Start({.port = 0, .total_bytes_max = 4'000'000});
  const auto client = Connect();
  const NativePrepared row = client->Prepare("SELECT data FROM k.files WHERE id = 1");
  const LittleMemory little;
  for (const NativeReply& reply :
       {client->Query("SELECT * FROM k.files"), client->Query("SELECT max(data) FROM k.files"),
        client->Query("SELECT id, max(data) FROM k.files GROUP BY id"),
        client->Ask(Opcode::kExecute, ExecuteBody(row.id)),
        client->Query("INSERT INTO k.files (id) VALUES (1) IF NOT EXISTS")}) {
    EXPECT_EQ(reply.error_code(), kOverloaded);
    EXPECT_THAT(reply.error_text(), HasSubstr("The server has no memory for an answer of this size"));
  }
}

// A task that throws does not stop the thread of the pool, and is destroyed.
TEST(WorkerPoolTest, TasksThatThrow) {
  struct Task final : WorkerPool::Task {
    Task(bool throws_in, std::promise<bool>& ended_in) : throws(throws_in), ended(ended_in) {}
    ~Task() override { ended.set_value(ran); }
    void Run() override {
      if (throws) throw std::bad_alloc();
      ran = true;
    }
    const bool throws;
    bool ran = false;
    std::promise<bool>& ended;
  };
  WorkerPool pool(1);
  for (const bool throws : {true, false, true, false}) {
    std::promise<bool> ended;
    pool.Submit(std::make_unique<Task>(throws, ended));
    EXPECT_EQ(ended.get_future().get(), !throws);
  }
}

}  // namespace
}  // namespace widerow
