#include "talus/report/pages/series_json.hpp"

#include "talus/io/files/json_writer.hpp"
#include "talus/report/pages/page_text.hpp"

namespace talus::report {

ThinnedColumn::ThinnedColumn(std::size_t values, std::size_t kept) : values_(values)
{
    if (values <= kept) return;
    bunches_ = (kept - 2) / 2;
    bunch_end_ = 1 + (values - 2) / bunches_; // of the first bunch
    kept_.reserve(kept);
}

void ThinnedColumn::add(const std::optional<double>& value)
{
    const std::size_t at = count_++;
    if (bunches_ == 0 || at == 0 || at + 1 >= values_) {
        kept_.push_back(value);
        return;
    }
    if (value) {
        if (!least_ || *value < least_->value) least_ = {at, *value};
        if (!largest_ || *value >= largest_->value) largest_ = {at, *value};
    }
    if (at + 1 == bunch_end_) close_bunch();
}

void ThinnedColumn::close_bunch()
{
    if (!least_) {
        kept_.insert(kept_.end(), 2, std::nullopt);
    } else {
        const bool falls = largest_->at < least_->at;
        kept_.push_back((falls ? largest_ : least_)->value);
        kept_.push_back((falls ? least_ : largest_)->value);
    }
    least_.reset();
    largest_.reset();
    ++bunch_;
    bunch_end_ = 1 + (values_ - 2) * (bunch_ + 1) / bunches_;
}

Column thinned(const Column& column, std::size_t lines)
{
    ThinnedColumn thin(column.size(), lines);
    for (const auto& value : column) thin.add(value);
    return thin.kept();
}

std::string json_list(const Column& column, int digits)
{
    std::string list;
    for (const auto& value : column) list += (list.empty() ? "" : ",") + json_number(value, digits);
    return "[" + list + "]";
}

std::string provenance_json(const io::Provenance& origin)
{
    std::string resumed;
    for (const std::string& line : origin.resumed) resumed += (resumed.empty() ? "" : ",") + io::json_quoted(line);
    // a seed of 64 bits is more than a number of the browser holds
    return fmt::format(
        R"({{"version":{},"build":{},"seed":"{}","command":{},"threads":{},"cpu":{},"cores":{},"started":{},"resumed":[{}]}})",
        io::json_quoted(origin.version), io::json_quoted(origin.build), origin.seed, io::json_quoted(origin.command),
        origin.threads, io::json_quoted(origin.cpu), origin.cores, io::json_quoted(origin.started), resumed);
}

} // namespace talus::report
