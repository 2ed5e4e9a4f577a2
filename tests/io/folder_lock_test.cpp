#include "io/made_up_run.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/folder_lock.hpp"

#include <fstream>

namespace talus::io {
namespace {

TEST(FolderLock, IsTakenOnceAndLeavesNothingBehind)
{
    const Scratch scratch;
    {
        const FolderLock lock = FolderLock::take(scratch.path());
        EXPECT_EQ(lock.remark(), "");
        EXPECT_FALSE(FolderLock::try_take(scratch.path()));
        EXPECT_TRUE(std::filesystem::exists(scratch / lock_name)) << "a refused one must not take it away";
        EXPECT_EQ(lock_holder(scratch.path()).rfind("process " + std::to_string(getpid()) + " on ", 0), 0u);
        EXPECT_THROW(FolderLock::take(scratch.path()), InputError);
    }
    EXPECT_FALSE(std::filesystem::exists(scratch / lock_name));
    EXPECT_TRUE(FolderLock::try_take(scratch.path()));
}

TEST(FolderLock, DoesNotWriteThroughALink)
{
    const Scratch scratch;
    std::ofstream(scratch / "thesis") << "years";
    std::filesystem::create_symlink(scratch / "thesis", scratch / lock_name);
    EXPECT_THROW(FolderLock::take(scratch.path()), RunError);
    EXPECT_EQ(std::filesystem::file_size(scratch / "thesis"), 5u);
}

} // namespace
} // namespace talus::io
