// SPDX-License-Identifier: MIT
// Memory of long results in pages of 2 MiB.
//
// A result of 1e8 samples takes some 9 GB. In pages of 4 KiB the kernel needs seconds to take them
// back, and Ctrl-C would wait for it. Pages of 2 MiB are taken back at once, and are faster to
// fill. So operator new of the command aligns large blocks and asks for such pages.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BRISTLE_SANITIZED
#endif
#endif

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(BRISTLE_SANITIZED)
#include <sys/mman.h>

#include <cstdlib>
#include <new>

void* operator new(std::size_t size) {
  constexpr std::size_t page = std::size_t(2) << 20, large = 4 * page;
  for (;;) {
    void* block = nullptr;
    if (size < large) block = std::malloc(size > 0 ? size : 1);
    else if (::posix_memalign(&block, page, size) == 0) ::madvise(block, size, MADV_HUGEPAGE);
    else block = nullptr;
    if (block) return block;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
#endif
