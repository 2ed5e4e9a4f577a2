#include "talus/api/run_folder.hpp"

#include "talus/io/files/durable_file.hpp"
#include "talus/io/files/folder_lock.hpp"
#include "talus/io/runs/run_recorder.hpp"

#include <stdexcept>

namespace talus {

template <int D>
std::unique_ptr<Observer<D>> run_folder(const Run<D>& run, const std::filesystem::path& folder, Existing existing)
{
    if (run.scene().is_null()) throw std::logic_error("run_folder: the run was not set up from a scene");
    io::make_directory(folder);
    io::FolderLock lock = io::FolderLock::take(folder);
    if (io::has_foreign_files(folder)) throw InputError(folder.string() + ": holds files that are no run's");
    if (!io::has_no_step(folder) && existing == Existing::refuse) {
        throw InputError(folder.string() + ": holds a run; Existing::replace writes over it");
    }
    io::clear_run_folder(folder);
    const bool vtk = run.scene().at("output").at("vtk").boolean();
    auto recorder = io::new_recorder(run, run.scene(), {folder, "a program with libtalus", vtk});
    recorder->hold(std::move(lock));
    return recorder;
}

template std::unique_ptr<Observer<2>> run_folder(const Run<2>&, const std::filesystem::path&, Existing);
template std::unique_ptr<Observer<3>> run_folder(const Run<3>&, const std::filesystem::path&, Existing);

} // namespace talus
