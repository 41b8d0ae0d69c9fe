// Prints what libsdformat itself reads from a file, as JSON: links with their place and inertia, joints with their
// frame, axis, limits, losses and springs, all in the model's frame.
#include <cmath>
#include <initializer_list>
#include <iostream>
#include <sdf/Element.hh>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>

using ignition::math::Pose3d;

static void print(const Pose3d &pose)
{
  std::cout << "[" << pose.Pos().X() << "," << pose.Pos().Y() << "," << pose.Pos().Z() << "," << pose.Rot().X() << ","
            << pose.Rot().Y() << "," << pose.Rot().Z() << "," << pose.Rot().W() << "]";
}

// JSON as Python reads it has a word for infinity, which a limit that is not stated has.
static void print_all(const std::initializer_list<double> values)
{
  const char *before = "[";
  for (const double value : values)
  {
    std::cout << before;
    if (std::isinf(value)) std::cout << (value > 0 ? "Infinity" : "-Infinity");
    else std::cout << value;
    before = ",";
  }
  std::cout << "]";
}

static int refuse(const sdf::Errors &errors)
{
  for (const auto &error : errors) std::cerr << error.Message() << std::endl;
  return 1;
}

static Pose3d resolved(const sdf::SemanticPose &semantic, const std::string &relative)
{
  Pose3d pose;
  const auto errors = semantic.Resolve(pose, relative);
  if (!errors.empty()) std::exit(refuse(errors));
  return pose;
}

int main(int, char **arguments)
{
  sdf::Root root;
  const auto errors = root.Load(arguments[1]);
  if (!errors.empty()) return refuse(errors);
  std::cout.precision(17);
  const auto *world = root.WorldByIndex(0);
  const auto *model = world->ModelByIndex(0);
  const auto gravity = world->Gravity();
  std::cout << "{\"gravity\":[" << gravity.X() << "," << gravity.Y() << "," << gravity.Z() << "],\"links\":[";
  for (uint64_t k = 0; k < model->LinkCount(); ++k)
  {
    const auto *link = model->LinkByIndex(k);
    const auto &inertial = link->Inertial();
    std::cout << (k ? "," : "") << "{\"name\":\"" << link->Name() << "\",\"pose\":";
    print(resolved(link->SemanticPose(), "__model__"));
    std::cout << ",\"mass\":" << inertial.MassMatrix().Mass() << ",\"inertial\":";
    print(inertial.Pose());
    const auto d = inertial.MassMatrix().DiagonalMoments();
    const auto o = inertial.MassMatrix().OffDiagonalMoments();
    std::cout << ",\"inertia\":[" << d.X() << "," << d.Y() << "," << d.Z() << "," << o.X() << "," << o.Y() << ","
              << o.Z() << "]}";
  }
  std::cout << "],\"joints\":[";
  for (uint64_t k = 0; k < model->JointCount(); ++k)
  {
    const auto *joint = model->JointByIndex(k);
    std::cout << (k ? "," : "") << "{\"name\":\"" << joint->Name() << "\",\"type\":" << static_cast<int>(joint->Type())
              << ",\"parent\":\"" << joint->ParentLinkName() << "\",\"child\":\"" << joint->ChildLinkName()
              << "\",\"pose\":";
    print(resolved(joint->SemanticPose(), "__model__"));
    if (const auto *axis = joint->Axis(0))
    {
      ignition::math::Vector3d xyz;
      const auto wrong = axis->ResolveXyz(xyz, "__model__");
      if (!wrong.empty()) return refuse(wrong);
      std::cout << ",\"axis\":[" << xyz.X() << "," << xyz.Y() << "," << xyz.Z() << "],\"damping\":" << axis->Damping()
                << ",\"friction\":" << axis->Friction() << ",\"limits\":";
      print_all({axis->Lower(), axis->Upper(), axis->Effort(), axis->MaxVelocity()});
      std::cout << ",\"spring\":";
      print_all({axis->SpringReference(), axis->SpringStiffness()});
      const auto element = joint->Element()->GetElement("axis");
      if (element->HasElement("mimic"))
      {
        const auto mimic = element->GetElement("mimic");
        std::cout << ",\"mimic\":[\"" << mimic->GetAttribute("joint")->GetAsString() << "\","
                  << mimic->GetElement("multiplier")->GetValue()->GetAsString() << ","
                  << mimic->GetElement("offset")->GetValue()->GetAsString() << "]";
      }
    }
    const auto rotor = joint->Element()->FindElement("drake:rotor_inertia");
    if (rotor) std::cout << ",\"rotor\":" << rotor->GetValue()->GetAsString();
    std::cout << "}";
  }
  std::cout << "]}" << std::endl;
  return 0;
}
